-- When people stopped being asked; null while they are, and where it is not known.
alter table build_review add column ended_at timestamptz;
alter table build_gate add column ended_at timestamptz;

-- Since when a job waits, or until its start waited, for an agent: queued_at is its place in the queue, which it keeps.
alter table build_job add column ready_at timestamptz;

-- How long a build that had begun waited for people, without running.
alter table build add column waited_seconds double precision not null default 0;

drop index build_of_report;
create index build_of_report on build (pipeline_id, ended_at)
  include (id, state, deployment, queued_at, started_at, earlier_seconds, waited_seconds, first_started_at);
