-- CPU and memory have an upper end (a million cores, ten million GiB), and what is stored beyond it could not be read any more: in
-- services, and in the steps of pipelines and builds that make one. Nothing ran with such figures.
create or replace function pg_temp.is_beyond(resource text, told text) returns boolean language sql as $$
  select case
    when told !~ '^[0-9.]+[A-Za-z]*$' then false
    when resource like 'cpu%' then
      substring(told from '^[0-9.]+')::numeric * case when told like '%m' then 0.001 else 1 end > 1000000
    else
      substring(told from '^[0-9.]+')::numeric * case substring(told from '[A-Za-z]+$')
        when 'Ki' then 1024::numeric when 'Mi' then 1024::numeric ^ 2 when 'Gi' then 1024::numeric ^ 3 when 'Ti' then 1024::numeric ^ 4
        when 'k' then 1e3 when 'M' then 1e6 when 'G' then 1e9 when 'T' then 1e12 else 1 end > 10000000 * 1024::numeric ^ 3
  end or length(told) > 20
$$;
create or replace function pg_temp.any_beyond(resources jsonb) returns boolean language sql as $$
  select jsonb_typeof(resources) = 'object'
    and exists (select from jsonb_each_text(resources) where pg_temp.is_beyond(key, value))
$$;
create or replace function pg_temp.healed(definition jsonb) returns jsonb language plpgsql as $$
declare
  place record;
begin
  for place in
    select s.n - 1 as stage, t.n - 1 as step
    from jsonb_array_elements(definition -> 'stages') with ordinality as s (it, n),
      jsonb_array_elements(s.it -> 'steps') with ordinality as t (it, n)
    where pg_temp.any_beyond(t.it -> 'create' -> 'resources')
  loop
    definition := jsonb_set(
      definition,
      array['stages', place.stage::text, 'steps', place.step::text, 'create', 'resources'],
      '{"cpu": "0.5", "memory": "256Mi"}'
    );
  end loop;
  return definition;
end $$;

update service
set spec = jsonb_set(spec, '{resources}', '{"cpu": "0.5", "memory": "256Mi", "cpuRequest": "0.05", "memoryRequest": "32Mi"}')
where pg_temp.any_beyond(spec -> 'resources');
update service
set previous_spec = jsonb_set(previous_spec, '{resources}', '{"cpu": "0.5", "memory": "256Mi", "cpuRequest": "0.05", "memoryRequest": "32Mi"}')
where pg_temp.any_beyond(previous_spec -> 'resources');
update service_revision
set spec = jsonb_set(spec, '{resources}', '{"cpu": "0.5", "memory": "256Mi", "cpuRequest": "0.05", "memoryRequest": "32Mi"}')
where pg_temp.any_beyond(spec -> 'resources');
update pipeline set definition = pg_temp.healed(definition)
where definition::text like '%"resources"%' and definition is distinct from pg_temp.healed(definition);
update build set definition = pg_temp.healed(definition)
where definition::text like '%"resources"%' and definition is distinct from pg_temp.healed(definition);
