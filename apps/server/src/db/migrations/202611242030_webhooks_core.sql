-- Other programs that are told what becomes of builds.
create table webhook (
  id int generated always as identity primary key,
  name text not null,
  url text not null,
  -- sealed
  secret text not null,
  enabled boolean not null,
  -- null: builds of all teams
  team_id int references team on delete cascade,
  events text[] not null,
  revision int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint webhook_name unique (name)
);
create index webhook_of_team on webhook (team_id);

create table webhook_delivery (
  id bigint generated always as identity primary key,
  webhook_id int not null references webhook on delete cascade,
  -- what receivers tell repetitions by
  uuid uuid not null default gen_random_uuid(),
  event text not null,
  -- as it is sent
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts int not null default 0,
  -- of the last answer; null where there was none
  status int,
  problem jsonb,
  created_at timestamptz not null default now(),
  -- since when it has been tried without end; a redelivery begins anew
  since timestamptz not null default now(),
  next_at timestamptz not null default now(),
  ended_at timestamptz
);
create index webhook_delivery_due on webhook_delivery (next_at) where state = 'waiting';
create index webhook_delivery_of_webhook on webhook_delivery (webhook_id, id desc);
create index webhook_delivery_ended on webhook_delivery (ended_at) where ended_at is not null;
