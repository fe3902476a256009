alter table environment
  -- when its nodes were added up; usage is asked with every look
  add column measured_at timestamptz,
  -- since when what the product made there is being deleted, before it is forgotten
  add column leaving_since timestamptz;

-- Every namespace that was ever given to a stack on a cluster: what may be deleted there is decided by this, never by labels.
create table environment_namespace (
  environment uuid not null references environment on delete cascade,
  namespace text not null,
  stack_uuid uuid not null,
  primary key (environment, namespace, stack_uuid)
);
insert into environment_namespace (environment, namespace, stack_uuid) select environment, namespace, uuid from stack;

create function remember_namespace() returns trigger language plpgsql as $$
begin
  insert into environment_namespace (environment, namespace, stack_uuid)
    values (new.environment, new.namespace, new.uuid) on conflict do nothing;
  return new;
end $$;
create trigger stack_namespace_given after insert or update of environment, namespace on stack
  for each row execute function remember_namespace();
