-- The order of names is stored beside them: PostgreSQL computes an expression that it sorts by for every row it passes,
-- even where it reads them in the order of an index on that expression, and this one costs as much as a page of rows.
alter table pipeline add column natural_name text collate "C" generated always as (name_order(name)) stored;
alter table stack add column natural_name text collate "C" generated always as (name_order(name)) stored;
alter table account add column natural_name text collate "C" generated always as (name_order(user_name)) stored;

drop index pipeline_by_natural_name;
drop index pipeline_of_group_by_natural_name;
drop index account_by_natural_name;
create index pipeline_by_natural_name on pipeline (team_id, natural_name, id) include (group_id);
create index pipeline_of_group_by_natural_name on pipeline (group_id, natural_name, id) include (team_id);
create index stack_by_natural_name on stack (team_id, natural_name, id);
create index account_by_natural_name on account (natural_name, id);
