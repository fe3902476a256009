-- Where a build waits for people: one row for each stage that began to wait.
create table build_gate (
  build_id int not null references build on delete cascade,
  stage_index int not null,
  stage text not null,
  mode text not null check (mode in ('manual', 'approve')),
  -- who may decide, how many must, what they fill in, as of the build's definition
  approval jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'passed', 'rejected', 'expired', 'over')),
  opened_at timestamptz not null default now(),
  -- null: without an end
  until timestamptz,
  primary key (build_id, stage_index)
);
create index build_gate_until on build_gate (until) where state = 'waiting';

create table build_decision (
  build_id int not null,
  stage_index int not null,
  account_id int references account on delete set null,
  name text not null,
  pass boolean not null,
  decided_at timestamptz not null default now(),
  constraint build_decision_once unique (build_id, stage_index, name),
  foreign key (build_id, stage_index) references build_gate on delete cascade
);

-- Approving is a right of its own; whoever could change what runs could let it run.
update team_role set permissions = permissions || '{pipeline_review_operate}'
  where 'pipeline_pipeline_edit' = any (permissions) and not 'pipeline_review_operate' = any (permissions);
update system_role set permissions = permissions || '{pipeline_review_operate}'
  where 'pipeline_pipeline_edit' = any (permissions) and not 'pipeline_review_operate' = any (permissions);
