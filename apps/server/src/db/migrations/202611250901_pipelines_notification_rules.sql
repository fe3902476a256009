-- Which members of a team are told what becomes of builds, and how.
create table notification_rule (
  id int generated always as identity primary key,
  team_id int not null references team on delete cascade,
  name text not null,
  enabled boolean not null,
  events text[] not null,
  -- both null: all pipelines of the team
  group_id int references pipeline_group on delete cascade,
  pipeline_id int references pipeline on delete cascade,
  branches text[] not null,
  channels text[] not null,
  triggerer boolean not null,
  deciders boolean not null,
  users int[] not null,
  roles int[] not null,
  revision int not null default 1,
  updated_at timestamptz not null default now(),
  constraint notification_rule_name unique (team_id, name),
  constraint notification_rule_one_scope check (group_id is null or pipeline_id is null)
);
create index notification_rule_of_group on notification_rule (group_id) where group_id is not null;
create index notification_rule_of_pipeline on notification_rule (pipeline_id) where pipeline_id is not null;

-- What members are still to be told of.
create table notification_due (
  id bigint generated always as identity primary key,
  build_id int not null references build on delete cascade,
  -- the most telling one first
  events text[] not null,
  created_at timestamptz not null default now()
);
create index notification_due_of_build on notification_due (build_id);
