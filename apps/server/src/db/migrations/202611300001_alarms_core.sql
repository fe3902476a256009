-- Rules that watch services, whom they tell, and what they have seen.
create table alarm_template (
  id int generated always as identity primary key,
  team_id int not null references team on delete cascade,
  name text not null,
  -- [{metric, operator, threshold, for, severity}]
  conditions jsonb not null,
  revision int not null default 1,
  updated_at timestamptz not null default now(),
  constraint alarm_template_name unique (team_id, name),
  unique (team_id, id)
);

create table alarm_channel (
  id int generated always as identity primary key,
  team_id int not null references team on delete cascade,
  name text not null,
  kind text not null check (kind in ('mail', 'webhook', 'push')),
  addresses text[] not null,
  -- all members who may see alarms, beside those in alarm_channel_user
  members boolean not null,
  url text not null,
  -- signs what a webhook is sent; sealed
  secret text,
  -- of those whose own is not known
  language text not null check (language in ('en', 'zh')),
  revision int not null default 1,
  updated_at timestamptz not null default now(),
  constraint alarm_channel_name unique (team_id, name),
  unique (team_id, id)
);

create table alarm_channel_user (
  channel_id int not null references alarm_channel on delete cascade,
  account_id int not null references account on delete cascade,
  primary key (channel_id, account_id)
);
create index alarm_channel_user_account on alarm_channel_user (account_id);

create table alarm_rule (
  id int generated always as identity primary key,
  team_id int not null references team on delete cascade,
  name text not null,
  conditions jsonb not null,
  template_id int,
  enabled boolean not null,
  -- tells again while it fires; 0: never
  repeat_hours int not null check (repeat_hours between 0 and 168),
  -- tells nobody until then
  silenced_until timestamptz,
  silenced_by text not null default '',
  revision int not null default 1,
  updated_at timestamptz not null default now(),
  constraint alarm_rule_name unique (team_id, name),
  constraint alarm_rule_template foreign key (team_id, template_id) references alarm_template (team_id, id)
    on delete set null (template_id),
  unique (team_id, id)
);
create index alarm_rule_of_template on alarm_rule (team_id, template_id);

create table alarm_rule_channel (
  team_id int not null,
  rule_id int not null,
  channel_id int not null,
  primary key (rule_id, channel_id),
  foreign key (team_id, rule_id) references alarm_rule (team_id, id) on delete cascade,
  foreign key (team_id, channel_id) references alarm_channel (team_id, id) on delete cascade
);
create index alarm_rule_channel_channel on alarm_rule_channel (team_id, channel_id);

-- What a rule watches: a service, or all services that a stack has and will have.
create table alarm_map (
  rule_id int not null references alarm_rule on delete cascade,
  service_id int references service on delete cascade,
  stack_id int references stack on delete cascade,
  constraint alarm_map_one check (num_nonnulls(service_id, stack_id) = 1),
  constraint alarm_map_service unique (rule_id, service_id),
  constraint alarm_map_stack unique (rule_id, stack_id)
);
create index alarm_map_of_service on alarm_map (service_id);
create index alarm_map_of_stack on alarm_map (stack_id);

-- One condition of one rule about one service.
create table alarm_state (
  rule_id int not null references alarm_rule on delete cascade,
  service_id int not null references service on delete cascade,
  -- the condition, as machine.ts names it: another threshold is another one
  condition text not null,
  severity text not null,
  state text not null check (state in ('ok', 'pending', 'firing', 'no-data')),
  since timestamptz not null,
  -- what machine.ts keeps beside them
  memory jsonb not null,
  value double precision,
  acknowledged_by text not null default '',
  -- the round that wrote it, and the one that it follows
  round timestamptz not null,
  follows timestamptz,
  primary key (rule_id, service_id, condition)
);
create index alarm_state_of_service on alarm_state (service_id);

create table alarm_event (
  id bigint generated always as identity primary key,
  team_id int not null references team on delete cascade,
  rule_id int references alarm_rule on delete set null,
  rule_name text not null,
  service_id int not null references service on delete cascade,
  -- as it was asked: metric, operator, threshold, for, severity
  condition jsonb not null,
  kind text not null check (kind in ('fired', 'resolved', 'no-data', 'back', 'acknowledged')),
  value double precision,
  -- since when what ended with it was so
  since timestamptz,
  by text not null default '',
  -- whom it told; empty where nobody
  told text[] not null default '{}',
  at timestamptz not null default now()
);
create index alarm_event_of_team on alarm_event (team_id, id desc);
create index alarm_event_of_service on alarm_event (service_id, id desc);
create index alarm_event_of_rule on alarm_event (rule_id);
create index alarm_event_at on alarm_event (at);

-- The restarts of a service's containers, as they were last counted.
create table alarm_restarts (
  service_id int primary key references service on delete cascade,
  seen jsonb not null
);

-- A cluster that gives no figures for a team's rules, which is told once.
create table alarm_blind (
  team_id int not null references team on delete cascade,
  environment uuid not null references environment on delete cascade,
  what text not null check (what in ('cluster', 'metrics')),
  since timestamptz not null,
  told boolean not null default false,
  primary key (environment, what, team_id)
);
create index alarm_blind_of_team on alarm_blind (team_id);

-- The outbox of webhooks is for the channels of alarms, too.
alter table webhook_delivery
  alter column webhook_id drop not null,
  add column alarm_channel_id int references alarm_channel on delete cascade,
  add constraint webhook_delivery_to check (num_nonnulls(webhook_id, alarm_channel_id) = 1);
create index webhook_delivery_of_channel on webhook_delivery (alarm_channel_id, id desc) where alarm_channel_id is not null;

-- Whoever may do so with services may also do so with their alarms, until a role says otherwise.
update team_role r set permissions = permissions || array(
  select distinct given.alarm from unnest(r.permissions) key join (values
    ('stack_service_view', 'monitor_alarm_view'), ('stack_service_create', 'monitor_alarm_edit'),
    ('stack_service_operate', 'monitor_alarm_operate'), ('stack_service_delete', 'monitor_alarm_delete')
  ) as given (service, alarm) on given.service = key
);
update system_role r set permissions = permissions || array(
  select distinct given.alarm from unnest(r.permissions) key join (values
    ('stack_service_view', 'monitor_alarm_view'), ('stack_service_create', 'monitor_alarm_edit'),
    ('stack_service_operate', 'monitor_alarm_operate'), ('stack_service_delete', 'monitor_alarm_delete')
  ) as given (service, alarm) on given.service = key
);
