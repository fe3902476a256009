-- A Keystone to sign in at, for the zones of one cluster.
create table openstack (
  uuid uuid primary key default gen_random_uuid(),
  environment uuid not null references environment on delete cascade,
  name text not null,
  auth_url text not null,
  username text not null,
  -- sealed
  password text not null,
  project_name text not null,
  project_domain_name text not null,
  user_domain_name text not null,
  -- removing: its zones are being taken out of the cluster
  state text not null default 'ready' check (state in ('ready', 'removing')),
  changed_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  constraint openstack_name unique (environment, name),
  constraint openstack_of_environment unique (environment, uuid)
);

create table zone (
  uuid uuid primary key default gen_random_uuid(),
  environment uuid not null references environment on delete cascade,
  openstack uuid not null,
  name text not null,
  type text not null check (type in ('normal', 'nested')),
  -- its fields as they were saved
  fields jsonb not null,
  -- what OpenStack called the things that the fields name, by id
  names jsonb not null default '{}',
  -- a row is there before anything of it is in the cluster, and until nothing of it is there any more
  state text not null default 'writing' check (state in ('writing', 'ready', 'removing')),
  changed_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  constraint zone_name unique (environment, name),
  foreign key (environment, openstack) references openstack (environment, uuid)
    on delete cascade
);
create index zone_openstack on zone (openstack);
create index zone_unsettled on zone (changed_at) where state <> 'ready';
create index openstack_unsettled on openstack (changed_at) where state <> 'ready';
