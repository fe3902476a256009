-- The last drain of a host; its rounds are told in drain.ts.
create table host_drain (
  environment uuid not null references environment on delete cascade,
  host text not null,
  -- the node that it was begun for: one that comes later under the same name is another
  node_uid text not null,
  state text not null check (state in ('draining', 'done', 'stopped', 'failed')),
  -- pods that it began with, and that are still there
  total int not null default 0,
  remaining int not null default 0,
  -- pods that cannot go yet: [{namespace, pod, key, vars}]
  waiting jsonb not null default '[]',
  -- why it failed, or was stopped by what happened in the cluster
  reason jsonb,
  -- rounds since the last one that got ahead
  stalled int not null default 0,
  started_by text not null,
  started_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  -- until when a replica works on it, and when the next round is due
  lease_until timestamptz,
  due_at timestamptz not null default now(),
  primary key (environment, host)
);
create index host_drain_draining on host_drain (due_at) where state = 'draining';
