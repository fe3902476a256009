create table harbor (
  id int generated always as identity primary key,
  name text not null,
  url text not null,
  username text not null,
  -- sealed; null: of the simulated one, whose password follows from the sandbox's key
  password text,
  is_default boolean not null default false,
  sandbox boolean not null default false,
  version text not null default '',
  revision int not null default 1,
  created_at timestamptz not null default now(),
  constraint harbor_name unique (name)
);
create unique index harbor_default on harbor (is_default) where is_default;
create unique index harbor_sandbox on harbor (sandbox) where sandbox;

-- A project of a Harbor that a team has. Several teams may have one.
create table harbor_namespace (
  id int generated always as identity primary key,
  harbor_id int not null references harbor,
  project_id int not null,
  name text not null,
  team_id int not null references team on delete cascade,
  -- as the Harbor told last
  public boolean not null default false,
  repositories int,
  read_at timestamptz,
  created_at timestamptz not null default now(),
  constraint harbor_namespace_once unique (harbor_id, project_id, team_id)
);
create index harbor_namespace_of_team on harbor_namespace (team_id);

-- With what a team's clusters pull from a Harbor: a robot there, brought in line with the team's projects.
create table harbor_pull (
  harbor_id int not null references harbor,
  -- without a foreign key: the robot of a team that is gone is still to be removed
  team_id int not null,
  robot_id int,
  -- the address at which the robot was made
  url text not null default '',
  wanted int not null default 1,
  settled int not null default 0,
  problem jsonb,
  settle_until timestamptz,
  settle_round int not null default 0,
  primary key (harbor_id, team_id)
);
create index harbor_pull_unsettled on harbor_pull (settle_until nulls first) where settled < wanted;

-- The same as an image registry of the team: what its services and pickers know.
alter table registry add column harbor_id int references harbor on delete cascade;
create unique index registry_of_harbor on registry (harbor_id, team_id) where harbor_id is not null;
