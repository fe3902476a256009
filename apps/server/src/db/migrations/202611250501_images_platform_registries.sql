-- A registry of the platform, which has no team of its own, is used by the teams that it is assigned to. The simulated one needs no row.
create table registry_team (
  registry_id int not null references registry on delete cascade,
  team_id int not null references team on delete cascade,
  primary key (registry_id, team_id)
);
create index registry_team_of_team on registry_team (team_id);
-- Until now a registry without a team was every team's.
insert into registry_team (registry_id, team_id)
select registry.id, team.id from registry cross join team where registry.team_id is null and not registry.sandbox;
