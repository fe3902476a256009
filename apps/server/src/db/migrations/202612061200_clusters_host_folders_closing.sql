-- What stacks have of it in the cluster is on its way out: no service begins to have it any more.
alter table host_folder add column closing boolean not null default false;
