create table registry (
  id int generated always as identity primary key,
  -- null: shared with every team
  team_id int references team on delete cascade,
  name text not null,
  url text not null,
  username text not null default '',
  password text,
  sandbox boolean not null default false,
  created_at timestamptz not null default now(),
  constraint registry_name unique nulls not distinct (team_id, name)
);
create unique index registry_sandbox on registry (sandbox) where sandbox;
