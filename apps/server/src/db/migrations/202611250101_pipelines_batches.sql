-- Edits of many pipelines at once.
create table pipeline_batch (
  id int generated always as identity primary key,
  team_id int not null references team on delete cascade,
  state text not null default 'EDITING' check (
    state in ('EDITING', 'SUCCESS', 'PARTIAL_SUCCESS', 'FAILURE', 'RESTORING', 'RESTORE_SUCCESS', 'RESTORE_FAILURE')
  ),
  -- secrets are sealed
  changes jsonb not null,
  created_by text not null,
  restored_by text not null default '',
  -- for whom its pipelines are changed or restored now; an API token of an administrator acts as none
  actor_id int references account on delete set null,
  actor_name text not null,
  as_admin boolean not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  -- how often it was begun: it, each retry, and each restore
  turn int not null default 1,
  settle_until timestamptz,
  settle_round int not null default 0
);
create index pipeline_batch_of_team on pipeline_batch (team_id, id desc);
create index pipeline_batch_of_actor on pipeline_batch (actor_id);
create index pipeline_batch_unsettled on pipeline_batch (settle_until) where state in ('EDITING', 'RESTORING');

-- What became of each pipeline, which may be deleted since.
create table pipeline_batch_item (
  batch_id int not null references pipeline_batch on delete cascade,
  pipeline_id int not null,
  group_id int not null,
  project_name text not null,
  outcome text not null default 'waiting' check (
    outcome in ('waiting', 'changed', 'unchanged', 'failed', 'restoring', 'restored', 'left')
  ),
  -- the one that was seen; null: the present one
  expected int,
  -- the one that the batch made
  revision int,
  -- the changed fields of the document; secrets are sealed
  before jsonb not null default '{}',
  after jsonb not null default '{}',
  secrets text[] not null default '{}',
  reason jsonb,
  path text not null default '',
  primary key (batch_id, pipeline_id)
);
