-- A build of stages that are not saved: no revision of its pipeline has them.
alter table build add column draft boolean not null default false;
