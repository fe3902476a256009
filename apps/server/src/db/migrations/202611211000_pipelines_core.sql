create table pipeline_group (
  id int generated always as identity primary key,
  team_id int not null references team on delete cascade,
  name text not null,
  description text not null default '',
  -- [{name, value, secret}]; the value of a secret is sealed
  variables jsonb not null default '[]',
  created_at timestamptz not null default now(),
  constraint pipeline_group_name unique (team_id, name),
  constraint pipeline_group_of_team unique (team_id, id)
);

create table pipeline (
  id int generated always as identity primary key,
  uuid uuid not null default gen_random_uuid() constraint pipeline_uuid unique,
  team_id int not null references team on delete cascade,
  group_id int not null,
  name text not null,
  description text not null default '',
  repository_url text,
  repository_branch text not null default '',
  repository_username text not null default '',
  repository_password text,
  definition jsonb not null default '{"stages": []}',
  definition_revision int not null default 1,
  timeout_minutes int not null default 0,
  keep_builds int not null default 0,
  concurrent boolean not null default true,
  agent_labels text[] not null default '{}',
  variables jsonb not null default '[]',
  parameters jsonb not null default '[]',
  next_number int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pipeline_name unique (team_id, name),
  foreign key (team_id, group_id) references pipeline_group (team_id, id)
);
create index pipeline_of_group on pipeline (group_id);

create table agent (
  id int generated always as identity primary key,
  uuid uuid not null default gen_random_uuid(),
  name text not null constraint agent_name unique,
  token_hash bytea not null constraint agent_token unique,
  labels text[] not null default '{}',
  capacity int not null default 2,
  -- what it told of itself with its last claim
  os_type text not null default 'linux',
  version text not null default '',
  isolated boolean not null default false,
  executors text[] not null default '{}',
  -- started and ended by the product itself
  embedded boolean not null default false,
  last_seen_at timestamptz,
  created_at timestamptz not null default now()
);

-- A build is a row with a lease by this clock. What ran is what was defined when it was triggered.
create table build (
  id int generated always as identity primary key,
  pipeline_id int not null references pipeline on delete cascade,
  team_id int not null references team on delete cascade,
  number int not null,
  state text not null default 'queued' check (state in ('queued', 'building', 'success', 'failed', 'aborted')),
  cause text not null,
  user_cause text not null,
  -- triggered by an administrator: may run where steps cannot be isolated
  by_admin boolean not null,
  branch text not null default '',
  commit text not null default '',
  commit_message text not null default '',
  parameters jsonb not null default '{}',
  definition jsonb not null,
  timeout_seconds int not null,
  agent_labels text[] not null default '{}',
  -- no other build of its pipeline beside it
  exclusive boolean not null default false,
  attempt int not null default 0,
  agent_id int references agent on delete set null,
  agent_name text not null default '',
  lease_until timestamptz,
  -- the last event of this attempt that was taken in
  last_event int not null default 0,
  cancelled boolean not null default false,
  reason jsonb,
  idempotency_key text,
  queued_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  constraint build_number unique (pipeline_id, number),
  constraint build_once unique (pipeline_id, idempotency_key)
);
create index build_queue on build (queued_at, id) where state = 'queued';
create index build_leases on build (lease_until) where state = 'building';
create index build_of_agent on build (agent_id) where state = 'building';
create unique index build_exclusive on build (pipeline_id) where state = 'building' and exclusive;

create table build_step (
  build_id int not null references build on delete cascade,
  index int not null,
  stage text not null,
  stage_index int not null,
  name text not null,
  type text not null,
  state text not null default 'pending'
    check (state in ('pending', 'building', 'success', 'failed', 'aborted', 'not_built')),
  exit_code int,
  reason jsonb,
  started_at timestamptz,
  ended_at timestamptz,
  log_bytes bigint not null default 0,
  -- line ends so far; log_open says that more follows the last of them
  log_lines int not null default 0,
  log_open boolean not null default false,
  -- the indexed log, once the build has ended and the chunks are gone
  log_blob text,
  primary key (build_id, index)
);

-- Compressed pieces of at most 256 kB of a log that still grows.
create table build_log_chunk (
  build_id int not null,
  step int not null,
  start_byte bigint not null,
  bytes int not null,
  first_line int not null,
  lines int not null,
  data bytea not null,
  primary key (build_id, step, start_byte),
  foreign key (build_id, step) references build_step on delete cascade
);
alter table build_log_chunk alter column data set storage external;

create table build_artifact (
  id int generated always as identity primary key,
  build_id int not null,
  step int not null,
  path text not null,
  size bigint not null,
  sha256 text not null,
  blob text not null,
  created_at timestamptz not null default now(),
  constraint build_artifact_path unique (build_id, path),
  foreign key (build_id, step) references build_step on delete cascade
);

create table build_image (
  id int generated always as identity primary key,
  build_id int not null,
  step int not null,
  pipeline_id int not null references pipeline on delete cascade,
  registry_id int not null,
  image text not null,
  tag text not null,
  digest text not null,
  size bigint not null,
  created_at timestamptz not null default now(),
  constraint build_image_once unique (build_id, step),
  foreign key (build_id, step) references build_step on delete cascade
);
create index build_image_of_pipeline on build_image (pipeline_id, id desc);

create table build_report (
  build_id int not null,
  step int not null,
  path text not null,
  total int not null,
  failed int not null,
  skipped int not null,
  primary key (build_id, step, path),
  foreign key (build_id, step) references build_step on delete cascade
);

create table build_test_case (
  build_id int not null,
  step int not null,
  path text not null,
  position int not null,
  suite text not null,
  name text not null,
  state text not null check (state in ('passed', 'failed', 'skipped', 'error')),
  seconds double precision not null,
  message text not null,
  primary key (build_id, step, path, position),
  foreign key (build_id, step, path) references build_report on delete cascade
);

-- Blobs whose rows are gone, until the store has forgotten them too.
create table blob_garbage (
  key text primary key,
  created_at timestamptz not null default now()
);
