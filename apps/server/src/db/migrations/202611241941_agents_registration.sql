-- An agent is registered before it has a credential: it exchanges its one-time token for one.
alter table agent alter column token_hash drop not null;
alter table agent add column registration_hash bytea constraint agent_registration unique;
alter table agent add column registration_until timestamptz;
-- reported by the agent, beside the labels that the server gives it
alter table agent add column own_labels text[] not null default '{}';
alter table agent add column protocol text not null default '';
-- null: it takes builds of all teams
alter table agent add column team_id int constraint agent_team references team;
alter table agent add column paused boolean not null default false;
alter table agent add column clean_asked_at timestamptz;
alter table agent add column cleaned_at timestamptz;
alter table agent add column revision int not null default 1;
create index agent_of_team on agent (team_id) where team_id is not null;

-- The machine that an agent runs on, as it last reported it; sizes in bytes.
create table agent_machine (
  agent_id int primary key references agent on delete cascade,
  name text not null,
  system text not null,
  architecture text not null,
  cpus int not null,
  memory bigint not null,
  disk bigint not null,
  disk_free bigint not null
);
create index agent_machine_name on agent_machine (name);

create index build_job_history on build_job (agent_id, ended_at desc, id desc) where ended_at is not null;
