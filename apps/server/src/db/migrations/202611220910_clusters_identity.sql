-- Which cluster an environment is: the uid of its namespace kube-system. One cluster is one environment. Null until it was read.
alter table environment
  add column cluster text,
  -- It was joined before clusters had an identity, and may be a cluster that another environment is as well.
  add column shares_cluster boolean not null default false,
  -- The uid that its address answers with, where that is another one: nothing is written there until an administrator accepts it.
  add column answers text;
update environment set shares_cluster = true;
create unique index environment_cluster on environment (cluster) where not shares_cluster;

-- On which cluster a namespace was given, and the uid that it had when the stack held it: one of the same name that was made later has another.
alter table environment_namespace
  add column cluster text,
  add column uid text;

create or replace function remember_namespace() returns trigger language plpgsql as $$
begin
  insert into environment_namespace (environment, namespace, stack_uuid, team_id, held, cluster)
    values (new.environment, new.namespace, new.uuid, new.team_id, new.state = 'running',
      (select cluster from environment where uuid = new.environment)) on conflict do nothing;
  return new;
end $$;
