-- What starts builds of a pipeline without a person. Its builds run for who saved it, with their rights at that time.
create table pipeline_trigger (
  id int generated always as identity primary key,
  pipeline_id int not null references pipeline on delete cascade,
  kind text not null check (kind in ('webhook', 'schedule', 'pipeline')),
  enabled boolean not null,
  rule jsonb not null,
  -- by their names; none is a secret
  parameters jsonb not null default '{}',
  account_id int references account on delete set null,
  account_name text not null,
  -- of a webhook: what the forge signs with, sealed
  secret text,
  -- of a webhook that was set up at its forge: {forge, url, id}
  hook jsonb,
  -- of a schedule that is on: the next slot, by this clock
  next_at timestamptz,
  -- the pipeline whose builds it follows
  follows_id int references pipeline on delete cascade,
  revision int not null default 1,
  updated_at timestamptz not null default now()
);
create index pipeline_trigger_of_pipeline on pipeline_trigger (pipeline_id);
create index pipeline_trigger_due on pipeline_trigger (next_at) where next_at is not null;
create index pipeline_trigger_follows on pipeline_trigger (follows_id) where follows_id is not null;

-- What came of each occasion.
create table pipeline_trigger_event (
  id bigint generated always as identity primary key,
  trigger_id int not null references pipeline_trigger on delete cascade,
  at timestamptz not null default now(),
  -- the forge's delivery, the slot or the build that it followed
  delivery text not null,
  event text not null,
  outcome text not null check (outcome in ('started', 'skipped', 'refused')),
  reason jsonb,
  build_number int,
  queue_id int
);
-- an occasion starts one build, however often and to however many replicas it is reported; what was refused may be sent again
create unique index pipeline_trigger_once on pipeline_trigger_event (trigger_id, delivery) where outcome = 'started';
create index pipeline_trigger_newest on pipeline_trigger_event (trigger_id, id desc);
create index pipeline_trigger_event_age on pipeline_trigger_event (at);
