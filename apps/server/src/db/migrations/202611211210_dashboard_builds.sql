-- A team's newest builds, and those that ended lately, without reading all of them.
create index build_of_team on build (team_id, id desc);
create index build_ended_of_team on build (team_id, ended_at);
