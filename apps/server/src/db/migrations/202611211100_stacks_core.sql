-- An environment is a Kubernetes cluster.
create table environment (
  uuid uuid primary key default gen_random_uuid(),
  name text not null constraint environment_name unique,
  description text not null default '',
  server text not null,
  -- how to reach it, sealed: what its kubeconfig came to
  address text not null,
  sandbox boolean not null default false,
  -- what it said when it was asked last
  version text not null default '',
  node_num int not null default 0,
  health text not null default 'unknown' check (health in ('healthy', 'unreachable', 'credentials', 'unknown')),
  reason jsonb,
  checked_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index environment_sandbox on environment (sandbox) where sandbox;

-- Which teams may use it; the sandbox is every team's.
create table environment_team (
  environment uuid not null references environment on delete cascade,
  team_id int not null references team on delete cascade,
  primary key (environment, team_id)
);
create index environment_team_team on environment_team (team_id);

-- CPU in cores, memory in GiB; null = no limit.
create table team_quota (
  team_id int not null references team on delete cascade,
  environment uuid not null references environment on delete cascade,
  cpu double precision,
  memory double precision,
  primary key (team_id, environment)
);

create table product (
  id int generated always as identity primary key,
  team_id int not null references team on delete cascade,
  name text not null,
  description text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint product_name unique (team_id, name),
  constraint product_of_team unique (team_id, id)
);

create table stack (
  id int generated always as identity primary key,
  uuid uuid not null default gen_random_uuid() constraint stack_uuid unique,
  team_id int not null references team on delete restrict,
  environment uuid not null references environment on delete restrict,
  product_id int,
  name text not null,
  description text not null default '',
  namespace text not null,
  state text not null default 'creating' check (state in ('creating', 'running', 'failed', 'deleting')),
  reason jsonb,
  -- its hard share of the team's quota
  cpu double precision,
  memory double precision,
  -- in whose name the cluster is told, and until when a replica works on it
  actor text not null,
  settle_until timestamptz,
  created_at timestamptz not null default now(),
  constraint stack_name unique (team_id, environment, name),
  constraint stack_namespace unique (environment, namespace),
  foreign key (team_id, product_id) references product (team_id, id)
);
create index stack_of_product on stack (product_id);
create index stack_unsettled on stack (id) where state in ('creating', 'deleting');

create table service (
  id int generated always as identity primary key,
  stack_id int not null references stack on delete cascade,
  name text not null,
  type text not null default 'business' check (type in ('business')),
  state text not null check (state in
    ('deploying', 'stable', 'upgrading', 'upgraded', 'cancelling', 'rolling-back', 'failed', 'deleting')),
  reason jsonb,
  -- what is wanted; the values of secret variables are in `secrets`, sealed: {name: value}
  spec jsonb not null,
  secrets text,
  -- what the image is pinned to, once it is known
  digest text not null default '',
  revision int not null default 1,
  -- what a cancel or a roll back returns to
  previous_spec jsonb,
  previous_secrets text,
  previous_digest text not null default '',
  -- counts up with every change that the cluster must be told; `applied` follows
  generation int not null default 1,
  applied int not null default 0,
  restarted_at timestamptz,
  changed_at timestamptz not null default now(),
  actor text not null,
  settle_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint service_name unique (stack_id, name)
);
create index service_unsettled on service (id) where state not in ('stable', 'upgraded', 'failed');

create table service_revision (
  service_id int not null references service on delete cascade,
  revision int not null,
  spec jsonb not null,
  image text not null,
  digest text not null default '',
  action text not null,
  by text not null,
  -- the build step that asked for it: one revision each
  deploy_key text,
  created_at timestamptz not null default now(),
  primary key (service_id, revision),
  constraint service_revision_deploy unique (service_id, deploy_key)
);
