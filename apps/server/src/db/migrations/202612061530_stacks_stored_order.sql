-- As for stacks: the order of names is computed once, and a stack's first services are read in it.
alter table service add column natural_name text collate "C" generated always as (name_order(name)) stored;
create index service_by_natural_name on service (stack_id, natural_name);
