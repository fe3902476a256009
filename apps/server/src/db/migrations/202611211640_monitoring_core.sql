-- Where a cluster's metrics come from; without a row the product samples metrics.k8s.io itself.
create table monitoring_source (
  environment uuid primary key references environment on delete cascade,
  kind text not null check (kind in ('prometheus', 'sampled')),
  url text not null default '',
  username text not null default '',
  -- sealed
  password text,
  token text,
  -- the value of the label `cluster`, where one Prometheus gathers several
  cluster text not null default ''
);

-- How the last sampling of a cluster went.
create table monitoring_sampling (
  environment uuid primary key references environment on delete cascade,
  tried_at timestamptz not null,
  sampled_at timestamptz,
  reason jsonb,
  -- series that had no place under the cap
  left_out int not null default 0
);

-- Containers to be measured before others, by the service whose pods they are in.
create table monitoring_wish (
  service_id int not null references service on delete cascade,
  container text not null,
  by text not null,
  created_at timestamptz not null default now(),
  primary key (service_id, container)
);

create table metric_series (
  id int generated always as identity primary key,
  environment uuid not null references environment on delete cascade,
  expression text not null,
  -- what it is of; empty where that does not apply
  host text not null default '',
  namespace text not null default '',
  pod text not null default '',
  container text not null default '',
  -- what there is of it: percent are counted of this
  most double precision,
  seen_at timestamptz not null default now(),
  constraint metric_series_of unique (environment, expression, namespace, pod, container, host)
);

-- A row has the ten minutes from `slot` on: one figure a minute, null where nothing was measured. Partitions are made ahead
-- and dropped by a job; no foreign key, because rows go with their partition.
create table metric_raw (
  slot timestamptz not null,
  series int not null,
  points real[] not null,
  primary key (series, slot)
) partition by range (slot);

-- The hour from `hour` on, averaged: one figure for five minutes.
create table metric_hour (
  hour timestamptz not null,
  series int not null,
  points real[] not null,
  primary key (series, hour)
) partition by range (hour);

-- Hours that are averaged already.
create table metric_averaged (hour timestamptz primary key);
