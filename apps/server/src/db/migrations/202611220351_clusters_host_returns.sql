-- Teams that may no longer use a cluster, until the hosts that were kept there for them are everybody's again.
create table host_return (
  environment uuid not null references environment on delete cascade,
  -- the team may be no more
  team_id int not null,
  primary key (environment, team_id)
);

create function return_hosts_of_team() returns trigger language plpgsql as $$
begin
  insert into host_return (environment, team_id)
    select uuid, old.id from environment
      where sandbox or exists (select from environment_team as used where used.environment = uuid and used.team_id = old.id)
    on conflict do nothing;
  return old;
end $$;
create trigger team_hosts_return before delete on team for each row execute function return_hosts_of_team();
