-- The chats and programs, notification methods of the team, that a rule tells. A method that is told is not deleted
-- unknown to the rule; with its team both go.
alter table notification_rule add constraint notification_rule_of_team unique (team_id, id);

create table notification_rule_method (
  team_id int not null,
  rule_id int not null,
  channel_id int not null,
  primary key (rule_id, channel_id),
  foreign key (team_id, rule_id) references notification_rule (team_id, id) on delete cascade,
  constraint notification_rule_method_channel foreign key (team_id, channel_id) references alarm_channel (team_id, id)
);
create index notification_rule_method_of_channel on notification_rule_method (team_id, channel_id);
