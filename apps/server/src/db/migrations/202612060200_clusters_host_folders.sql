-- Folders of the hosts of a cluster that an administrator opened to a team, for volumes of its services.
create table host_folder (
  id integer generated always as identity primary key,
  environment uuid not null references environment on delete cascade,
  team_id integer not null references team on delete cascade,
  path text not null,
  read_only boolean not null,
  opened_by text not null,
  opened_at timestamptz not null default now(),
  constraint host_folder_once unique (environment, team_id, path)
);

-- for the deletion of a team
create index host_folder_team on host_folder (team_id);
