-- To which team each namespace was given. Metrics and volumes outlive a stack and go by the name of its namespace, in the
-- cluster too: so the team's id stays when the team goes, and the row when the cluster does, which may be joined again.
-- Null: a stack that was gone before this was noted.
alter table environment_namespace
  drop constraint environment_namespace_environment_fkey,
  add column team_id int;
update environment_namespace set team_id = stack.team_id from stack where stack.uuid = environment_namespace.stack_uuid;
create index environment_namespace_name on environment_namespace (namespace);

create or replace function remember_namespace() returns trigger language plpgsql as $$
begin
  insert into environment_namespace (environment, namespace, stack_uuid, team_id)
    values (new.environment, new.namespace, new.uuid, new.team_id) on conflict do nothing;
  return new;
end $$;
