-- What an earlier attempt of a job left. It is moved aside when the job runs again, so that all other tables say what the
-- latest attempt did.
create table build_attempt (
  id int generated always as identity primary key,
  build_id int not null,
  job int not null,
  attempt int not null,
  state text not null check (state in ('success', 'failed', 'aborted')),
  reason jsonb,
  agent_name text not null,
  started_at timestamptz,
  ended_at timestamptz not null,
  -- the sums of its test reports; null without one
  tests jsonb,
  constraint build_attempt_number unique (build_id, job, attempt),
  foreign key (build_id, job) references build_job (build_id, index) on delete cascade
);

-- Name, type and stage are those of the build's step.
create table build_attempt_step (
  attempt_id int not null references build_attempt on delete cascade,
  index int not null,
  state text not null,
  exit_code int,
  reason jsonb,
  started_at timestamptz,
  ended_at timestamptz,
  log_bytes bigint not null,
  log_lines int not null,
  log_open boolean not null,
  log_blob text,
  -- the image that it pushed
  image jsonb,
  primary key (attempt_id, index)
);

create table build_attempt_log_chunk (
  attempt_id int not null,
  step int not null,
  start_byte bigint not null,
  bytes int not null,
  first_line int not null,
  lines int not null,
  times jsonb,
  data bytea not null,
  primary key (attempt_id, step, start_byte),
  foreign key (attempt_id, step) references build_attempt_step on delete cascade
);
alter table build_attempt_log_chunk alter column data set storage external;

create table build_attempt_artifact (
  -- the one that it had in build_artifact
  id int primary key,
  attempt_id int not null,
  step int not null,
  path text not null,
  size bigint not null,
  sha256 text not null,
  blob text not null,
  created_at timestamptz not null,
  constraint build_attempt_artifact_path unique (attempt_id, path),
  foreign key (attempt_id, step) references build_attempt_step on delete cascade
);

create table build_attempt_test_case (
  attempt_id int not null,
  step int not null,
  path text not null,
  position int not null,
  suite text not null,
  name text not null,
  state text not null,
  seconds double precision not null,
  message text not null,
  primary key (attempt_id, step, path, position),
  foreign key (attempt_id, step) references build_attempt_step on delete cascade
);

-- How long a build ran before its last retry, and when it first began: started_at is that of the last retry.
alter table build add column earlier_seconds double precision not null default 0;
alter table build add column first_started_at timestamptz;

drop index build_of_report;
create index build_of_report on build (pipeline_id, ended_at)
  include (id, state, deployment, queued_at, started_at, earlier_seconds, first_started_at);
