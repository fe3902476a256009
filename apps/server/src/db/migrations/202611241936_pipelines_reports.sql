-- How the deploy steps of an ended build went; null: it deployed nothing.
alter table build add column deployment text check (deployment in ('success', 'failed'));

update build set deployment = deployed.outcome
from (
  select build_id, case when bool_or(state = 'failed') then 'failed' else 'success' end as outcome
  from build_step where type = 'deploy' and state in ('success', 'failed') group by build_id
) as deployed
where deployed.build_id = build.id and build.ended_at is not null;

-- Reports read the ended builds of a pipeline in a time, and nothing else of their rows.
create index build_of_report on build (pipeline_id, ended_at) include (id, state, deployment, queued_at, started_at);
