create table helm_repository (
  id int generated always as identity primary key,
  name text not null constraint helm_repository_name unique,
  url text not null,
  kind text not null,
  username text not null,
  password text,
  ca text,
  problem jsonb,
  read_at timestamptz,
  revision int not null default 1
);

create table helm_repository_team (
  repository_id int not null references helm_repository on delete cascade,
  team_id int not null references team on delete cascade,
  primary key (repository_id, team_id)
);
create index helm_repository_team_of_team on helm_repository_team (team_id);

-- What was read of a repository's index: replaced as a whole.
create table helm_chart (
  repository_id int not null references helm_repository on delete cascade,
  name text not null,
  version text not null,
  app_version text not null,
  description text not null,
  icon text not null,
  deprecated boolean not null,
  versions int not null,
  primary key (repository_id, name)
);

create table helm_chart_version (
  repository_id int not null references helm_repository on delete cascade,
  name text not null,
  -- 0 is the newest
  position int not null,
  version text not null,
  app_version text not null,
  icon text not null,
  created timestamptz,
  digest text not null,
  url text not null,
  deprecated boolean not null,
  primary key (repository_id, name, position)
);
create index helm_chart_version_by_version on helm_chart_version (repository_id, name, version);

create table helm_release (
  id int generated always as identity primary key,
  stack_id int not null references stack on delete cascade,
  name text not null,
  repository_id int references helm_repository,
  chart text not null,
  version text not null,
  -- sealed: people enter passwords there
  given_values text,
  state text not null,
  reason jsonb,
  -- the revision to return to
  target int,
  -- an administrator's: in the name of the platform instead of the team's
  elevated boolean not null default false,
  generation int not null default 1,
  actor text not null,
  updated_at timestamptz not null default now(),
  settle_until timestamptz,
  settle_round int not null default 0,
  constraint helm_release_name unique (stack_id, name)
);
create index helm_release_of_repository on helm_release (repository_id);
create index helm_release_unsettled on helm_release (settle_until) where state in ('deploying', 'rolling-back', 'uninstalling');

-- Whoever may do so with services may also do so with charts, until a role says otherwise.
update team_role r set permissions = permissions || array(
  select distinct given.helm from unnest(r.permissions) key join (values
    ('stack_service_view', 'helm_chart_view'), ('stack_service_view', 'helm_release_view'),
    ('stack_service_create', 'helm_release_operate'), ('stack_service_delete', 'helm_release_delete')
  ) as given (service, helm) on given.service = key
);
update system_role r set permissions = permissions || array(
  select distinct given.helm from unnest(r.permissions) key join (values
    ('stack_service_view', 'helm_chart_view'), ('stack_service_view', 'helm_release_view'),
    ('stack_service_create', 'helm_release_operate'), ('stack_service_delete', 'helm_release_delete')
  ) as given (service, helm) on given.service = key
);
