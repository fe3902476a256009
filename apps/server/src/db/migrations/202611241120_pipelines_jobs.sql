-- A build consists of jobs: a job is what an agent leases, with a workspace of its own. The columns of build that were about its lease
-- (agent_id, lease_until, last_event) are no longer read.
create table build_job (
  id int generated always as identity primary key,
  build_id int not null references build on delete cascade,
  -- position in the build, from 0
  index int not null,
  -- empty: the steps of consecutive stages without jobs
  name text not null,
  -- the values of the matrix's axes
  matrix jsonb not null default '{}',
  -- what the queue is sorted and shared by, as of the build
  pipeline_id int not null,
  team_id int not null,
  by_admin boolean not null,
  queued_at timestamptz not null default now(),
  state text not null
    check (state in ('pending', 'queued', 'building', 'success', 'failed', 'aborted', 'not_built')),
  reason jsonb,
  labels text[] not null default '{}',
  os_type text not null default 'linux',
  -- null: any
  executor text,
  timeout_seconds int not null,
  attempt int not null default 0,
  -- of the attempts, how many an agent lost
  losses int not null default 0,
  retries_left int not null default 0,
  agent_id int references agent on delete set null,
  agent_name text not null default '',
  lease_until timestamptz,
  -- the last event of this attempt that was taken in
  last_event int not null default 0,
  started_at timestamptz,
  ended_at timestamptz,
  constraint build_job_index unique (build_id, index)
);
create index build_job_queue on build_job (queued_at, id) where state = 'queued';
create index build_job_leases on build_job (lease_until) where state = 'building';
create index build_job_of_agent on build_job (agent_id) where state = 'building';
create index build_job_ended on build_job (ended_at);

-- the job's index
alter table build_step add column job int not null default 0;

-- What ran until now is one job. Builds that ended long ago need none: their steps say all.
insert into build_job (build_id, index, name, pipeline_id, team_id, by_admin, queued_at, state, labels, timeout_seconds, attempt, losses,
  agent_id, agent_name, lease_until, last_event, started_at, ended_at)
select id, 0, '', pipeline_id, team_id, by_admin, queued_at, state, agent_labels, timeout_seconds, attempt, greatest(attempt - 1, 0),
  agent_id, agent_name, lease_until, last_event, started_at, ended_at
from build where ended_at is null or ended_at > now() - interval '1 hour';

-- waiting: only a person's decision brings it on
alter table build drop constraint build_state_check;
alter table build add constraint build_state_check
  check (state in ('queued', 'building', 'waiting', 'success', 'failed', 'aborted'));

-- A build without another one of its pipeline beside it is one from its first job's start to its end.
create unique index build_exclusive_started on build (pipeline_id)
  where exclusive and started_at is not null and ended_at is null;

-- What steps tell later ones.
create table build_output (
  build_id int not null,
  step int not null,
  name text not null,
  value text not null,
  primary key (build_id, step, name),
  foreign key (build_id, step) references build_step on delete cascade
);

-- What jobs hand on to later ones: one archive a job, gone with the build.
create table build_handed (
  build_id int not null,
  job int not null,
  size bigint not null,
  blob text not null,
  primary key (build_id, job),
  foreign key (build_id, job) references build_job (build_id, index) on delete cascade
);
