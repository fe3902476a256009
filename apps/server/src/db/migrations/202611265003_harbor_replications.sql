-- A copy of images that a Harbor makes itself. What was set up for it there is removed when it has ended.
create table harbor_replication (
  id uuid primary key default gen_random_uuid(),
  harbor_id int not null references harbor on delete cascade,
  target_harbor_id int not null references harbor on delete cascade,
  target_project text not null,
  -- a robot of the target, and the target as the source knows it
  robot_id int,
  registry_id int,
  state text not null default 'pending',
  problem jsonb,
  started_at timestamptz not null default now(),
  ended_at timestamptz
);
create index harbor_replication_open on harbor_replication (started_at) where ended_at is null;
create index harbor_replication_of_harbor on harbor_replication (harbor_id);
create index harbor_replication_of_target on harbor_replication (target_harbor_id);

create table harbor_replication_item (
  replication_id uuid not null references harbor_replication on delete cascade,
  repo text not null,
  tags text[] not null,
  policy_id int,
  execution_id int,
  state text not null default 'pending',
  -- Harbor's own words
  problem text not null default '',
  done int not null default 0,
  failed int not null default 0,
  primary key (replication_id, repo)
);
