-- What the agent that dials out of a cluster signs in with. Another manifest is another row.
create table cluster_agent (
  id int generated always as identity primary key,
  environment uuid not null unique references environment on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null default now()
);

-- Whoever is connected with a token that is no more hears of it, whatever removed it.
create function tell_cluster_agent_over() returns trigger language plpgsql as $$
begin
  insert into outbox (topic, content) values ('cluster-agent', jsonb_build_object('id', old.id));
  return old;
end $$;
create trigger cluster_agent_over after delete on cluster_agent
  for each row execute function tell_cluster_agent_over();

-- Who is reached in another way from now on needs no agent any more.
create function end_cluster_agent() returns trigger language plpgsql as $$
begin
  delete from cluster_agent where environment = new.uuid;
  return new;
end $$;
create trigger environment_without_agent after update of reach on environment
  for each row when (old.reach = 'agent' and new.reach <> 'agent') execute function end_cluster_agent();

-- The processes of the server that live: each says so again and again.
create table replica (
  id uuid primary key,
  seen_at timestamptz not null default now()
);

-- Which of them the agents of which clusters are connected to.
create table cluster_agent_connection (
  environment uuid not null references environment on delete cascade,
  replica uuid not null references replica on delete cascade,
  primary key (environment, replica)
);
