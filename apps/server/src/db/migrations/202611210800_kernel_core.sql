-- Events: a row in the writer's own transaction. Readers order by (tx, seq) and read only what lies below the oldest running
-- transaction, so that a row which commits late is never skipped.
create table outbox (
  seq bigint generated always as identity primary key,
  tx xid8 not null default pg_current_xact_id(),
  topic text not null,
  team_id int,
  content jsonb not null,
  created_at timestamptz not null default now()
);
create index outbox_order on outbox (tx, seq);

-- What people and agents did, refused attempts included. No foreign keys: a row outlives whom and what it names.
create table audit_log (
  id bigint generated always as identity primary key,
  started_at timestamptz not null default now(),
  duration_ms int not null,
  actor_kind text not null check (actor_kind in ('user', 'agent', 'system', 'anonymous')),
  actor_id int not null,
  actor_name text not null,
  team_id int,
  action text not null,
  method text not null,
  url text not null,
  object text not null default '',
  status int not null,
  message text not null default '',
  ip text not null,
  request_id text not null,
  detail jsonb
);
create index audit_log_time on audit_log (started_at desc, id desc);
create index audit_log_actor on audit_log (actor_id, id desc);
create index audit_log_team on audit_log (team_id, id desc);

-- Counters that every replica shares: failed logins, slowed addresses. A window begins with its first hit.
create table rate_counter (
  key text primary key,
  hits int not null,
  expires_at timestamptz not null
);
create index rate_counter_expiry on rate_counter (expires_at);

-- The last slot of a schedule that was handed out. Whoever moves it on enqueues the job, in the same transaction.
create table job_slot (
  job text primary key,
  slot timestamptz not null
);

-- Settings of the installation, one document a name.
create table setting (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);
