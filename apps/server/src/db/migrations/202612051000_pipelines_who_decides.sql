-- Who asked for a build first stays; whoever retried it last is whom it acts for.
alter table build
  -- null: nobody has retried it
  add column retried_by text,
  add column retried_by_id int references account on delete set null,
  -- accounts, beside user_id, on whose word it runs: they may not let it begin
  add column requesters int[] not null default '{}',
  -- whom the names in its definition stood for when it was triggered, or its file was read; null: nobody looked
  add column approvers jsonb;
create index build_retried_by on build (retried_by_id) where retried_by_id is not null;

-- Whom the names in the definition stood for when it was saved: a name may stand for somebody else later.
alter table pipeline add column approvers jsonb not null default '{"users": [], "roles": []}';

create function pg_temp.approvers_of(definition jsonb, team int) returns jsonb language sql as $$
  select jsonb_build_object(
    'users', (
      select coalesce(jsonb_agg(distinct jsonb_build_object('name', account.user_name, 'id', account.id)), '[]')
      from account
      where definition @? '$.stages[*].approval.users[*]' and account.user_name in (
        select jsonb_array_elements_text(jsonb_path_query_array(definition, '$.stages[*].approval.users[*]')))),
    'roles', (
      select coalesce(jsonb_agg(distinct jsonb_build_object('name', team_role.name, 'id', team_role.id)), '[]')
      from team_role
      where team_id = team and team_role.name in (
        select jsonb_array_elements_text(jsonb_path_query_array(definition, '$.stages[*].approval.roles[*]')))))
$$;
update pipeline set approvers = pg_temp.approvers_of(definition, team_id) where definition @? '$.stages[*].approval';
update build set approvers = pg_temp.approvers_of(definition, team_id)
where state in ('queued', 'building', 'waiting') and definition @? '$.stages[*].approval';
drop function pg_temp.approvers_of(jsonb, int);

-- A retried build is reviewed again: one row for each time, the first of which is round 1.
alter table build_review_vote
  drop constraint build_review_vote_build_id_fkey,
  drop constraint build_review_once,
  add column round int not null default 1;
alter table build_review
  drop constraint build_review_pkey,
  add column round int not null default 1,
  add primary key (build_id, round),
  -- null: as the build says
  add column cause text,
  add column requested_by text,
  add column requested_at timestamptz,
  drop constraint build_review_state_check,
  add constraint build_review_state_check check (state in ('waiting', 'passed', 'rejected', 'cancelled'));
alter table build_review_vote
  add foreign key (build_id, round) references build_review on delete cascade,
  add constraint build_review_once unique (build_id, round, account_id);

-- What was decided about a stage stays when the stage is asked about again, or other values were filled in.
alter table build_decision
  drop constraint build_decision_build_id_stage_index_fkey,
  drop constraint build_decision_once,
  add foreign key (build_id) references build on delete cascade,
  add column reason text not null default '',
  add column counts boolean not null default true;
create unique index build_decision_once on build_decision (build_id, stage_index, account_id) where counts;
create index build_decision_of on build_decision (build_id, stage_index);
