-- Stacks whose rights to pull may have to change. A look for them costs an index scan, whatever there is of services.
-- Rows are only added and removed: writers never wait for one another, and a mark that comes during the work stays.
create table pull_secret_change (
  id bigint generated always as identity primary key,
  -- without a foreign key, which would lock the stack
  stack_id int not null
);
create index pull_secret_problem on pull_secret (stack_id) where problem is not null;

create function note_pulls_of_stack() returns trigger language plpgsql as $$
begin
  insert into pull_secret_change (stack_id) values (new.id);
  return null;
end $$;
create trigger stack_pulls_inserted after insert on stack
  for each row when (new.state = 'running') execute function note_pulls_of_stack();
create trigger stack_pulls_updated after update of state on stack
  for each row when (new.state = 'running' and old.state <> 'running') execute function note_pulls_of_stack();

create function note_pulls_of_service() returns trigger language plpgsql as $$
begin
  insert into pull_secret_change (stack_id) values (coalesce(new.stack_id, old.stack_id));
  return null;
end $$;
create trigger service_pulls_inserted after insert or delete on service
  for each row execute function note_pulls_of_service();
create trigger service_pulls_updated after update of spec, previous_spec on service
  for each row when ((old.spec, old.previous_spec) is distinct from (new.spec, new.previous_spec))
  execute function note_pulls_of_service();

-- A Harbor's right is of every namespace of its team; another registry's of those that have it or name it.
create function note_pulls_of_registry() returns trigger language plpgsql as $$
declare
  it registry := coalesce(new, old);
  names jsonpath := '$.**.registryId ? (@ == $id)';
begin
  insert into pull_secret_change (stack_id)
  select stack.id from stack where stack.state = 'running' and (
    (it.harbor_id is not null and stack.team_id = it.team_id)
    or exists (select from pull_secret given where given.stack_id = stack.id and given.registry_id = it.id)
    or exists (select from service where service.stack_id = stack.id
      and (jsonb_path_exists(service.spec, names, jsonb_build_object('id', it.id))
        or jsonb_path_exists(service.previous_spec, names, jsonb_build_object('id', it.id)))));
  return null;
end $$;
create trigger registry_pulls_inserted after insert or delete on registry
  for each row execute function note_pulls_of_registry();
create trigger registry_pulls_updated after update on registry
  for each row when ((old.url, old.username, old.password, old.harbor_id, old.team_id)
    is distinct from (new.url, new.username, new.password, new.harbor_id, new.team_id))
  execute function note_pulls_of_registry();

insert into pull_secret_change (stack_id) select id from stack where state = 'running';
