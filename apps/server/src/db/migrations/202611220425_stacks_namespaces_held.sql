-- Whether the cluster has said that the namespace is the stack's: one of this name may have been there before, with what is in it.
alter table environment_namespace add column held boolean not null default false;
update environment_namespace set held = true
  where not exists (select from stack where uuid = stack_uuid and state in ('creating', 'failed'));

create or replace function remember_namespace() returns trigger language plpgsql as $$
begin
  insert into environment_namespace (environment, namespace, stack_uuid, team_id, held)
    values (new.environment, new.namespace, new.uuid, new.team_id, new.state = 'running') on conflict do nothing;
  return new;
end $$;
