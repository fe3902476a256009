-- the build of a fork's merge request waits like one that is reviewed, for whoever may start builds
alter table build_review add column fork boolean not null default false;
