-- A trigger that somebody else has to pass before its build begins.
create table build_review (
  build_id int primary key references build on delete cascade,
  pipeline_id int not null references pipeline on delete cascade,
  -- as the pipeline required it when the build was triggered
  needed int not null check (needed between 1 and 10),
  users int[] not null,
  roles int[] not null,
  state text not null default 'waiting' check (state in ('waiting', 'passed', 'rejected'))
);
create index build_review_of_pipeline on build_review (pipeline_id, build_id desc);

create table build_review_vote (
  build_id int not null references build_review on delete cascade,
  account_id int references account on delete set null,
  account_name text not null,
  pass boolean not null,
  reason text not null,
  at timestamptz not null default now(),
  constraint build_review_once unique (build_id, account_id)
);

-- Whoever may change what a pipeline does may also review what starts it, until a role says otherwise.
update team_role set permissions = permissions || '{pipeline_review_operate}'
where 'pipeline_pipeline_edit' = any (permissions) and not 'pipeline_review_operate' = any (permissions);
update system_role set permissions = permissions || '{pipeline_review_operate}'
where 'pipeline_pipeline_edit' = any (permissions) and not 'pipeline_review_operate' = any (permissions);
