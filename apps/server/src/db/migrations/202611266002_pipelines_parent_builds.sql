-- The build whose step started this one.
alter table build add column parent_id int references build on delete set null;
create index build_parent on build (parent_id) where parent_id is not null;
