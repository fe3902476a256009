-- A page of pipelines by name, of a team or of a group, is read from its index.
create index pipeline_by_name on pipeline (team_id, name collate "C", id);
create index pipeline_of_group_by_name on pipeline (group_id, name collate "C", id);
drop index pipeline_of_group;
