-- Values that people fill in keep the order in which they were written. No query looks into them. The previous release,
-- which writes jsonb here, is understood: PostgreSQL casts it when it is assigned.
alter table pipeline_trigger
  alter column parameters drop default,
  alter column parameters type json using parameters::json,
  alter column parameters set default '{}';
alter table build_decision alter column parameters type json using parameters::json;
