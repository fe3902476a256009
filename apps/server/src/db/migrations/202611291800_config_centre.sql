-- The configuration centre: projects of a team, their profiles with keys, and templates that are filled in from these.
create table config_project (
  id int generated always as identity primary key,
  team_id int not null references team on delete cascade,
  name text not null,
  description text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text not null,
  constraint config_project_name unique (team_id, name)
);

create table config_profile (
  uuid uuid primary key default gen_random_uuid(),
  project_id int not null references config_project on delete cascade,
  name text not null,
  description text not null,
  revision int not null default 1,
  -- the last that changed its keys
  keys_revision int not null default 1,
  updated_at timestamptz not null default now(),
  updated_by text not null,
  constraint config_profile_name unique (project_id, name)
);

create table config_entry (
  profile_uuid uuid not null references config_profile on delete cascade,
  key text not null,
  -- of a secret key: sealed
  value text not null,
  secret boolean not null,
  -- of the profile, when the key changed last
  revision int not null,
  updated_at timestamptz not null default now(),
  updated_by text not null,
  constraint config_entry_key primary key (profile_uuid, key)
);

create table config_template (
  uuid uuid primary key default gen_random_uuid(),
  project_id int not null references config_project on delete cascade,
  name text not null,
  content text not null,
  revision int not null default 1,
  updated_at timestamptz not null default now(),
  updated_by text not null,
  constraint config_template_name unique (project_id, name)
);

-- The configuration that a service was applied with last. What it is to read, its document says.
create table service_configuration (
  service_id int primary key references service on delete cascade,
  version text not null
);
create index service_reads on service ((spec #>> '{configuration,project}'))
  where (spec #>> '{configuration,project}') is not null;

-- Whoever may view or edit services may do so with what they read, until a role says otherwise.
update team_role r set permissions = permissions || array(
  select replace(key, 'stack_service_', 'config_project_') from unnest(r.permissions) key
  where key in ('stack_service_view', 'stack_service_edit')
);
update system_role r set permissions = permissions || array(
  select replace(key, 'stack_service_', 'config_project_') from unnest(r.permissions) key
  where key in ('stack_service_view', 'stack_service_edit')
);
