-- A search of the trail is one page of millions of rows, by any of its columns. Trusted: whoever owns the database may do
-- this; elsewhere an administrator of PostgreSQL has done it before.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Values of which there are few: each with its rows in the order of the list.
create index audit_log_actor_time on audit_log (actor_id, started_at desc, id desc);
create index audit_log_team_time on audit_log (team_id, started_at desc, id desc) where team_id is not null;
create index audit_log_action_time on audit_log (action, started_at desc, id desc);
create index audit_log_message_time on audit_log (message, started_at desc, id desc) where message <> '';
create index audit_log_refused_time on audit_log (started_at desc, id desc) where status >= 400;
drop index audit_log_actor;
drop index audit_log_team;

-- Free text, by its groups of three characters; with the user beside it, because a search for what somebody did to
-- something would else read all that anybody did to it. What was written last waits in a list that every search reads, so it is short.
create index audit_log_text on audit_log using gin (url gin_trgm_ops, object gin_trgm_ops, actor_name gin_trgm_ops, actor_id)
  with (fastupdate = on, gin_pending_list_limit = 512);

-- A row is written once. Only its age ends it.
create function audit_log_expire(keep_days int, most int) returns int language plpgsql as $$
declare
  gone int;
begin
  if keep_days < 30 then
    raise exception 'audit rows are kept for at least 30 days';
  end if;
  delete from audit_log where id in (
    select id from audit_log where started_at < now() - make_interval(days => keep_days) order by started_at limit most
  );
  get diagnostics gone = row_count;
  return gone;
end $$;

create function refuse_audit_change() returns trigger language plpgsql as $$
declare
  calls text;
begin
  get diagnostics calls = pg_context;
  if tg_op = 'DELETE' and calls like '%audit\_log\_expire(%' then
    return null;
  end if;
  raise exception 'audit rows are neither changed nor removed before their time' using errcode = 'restrict_violation';
end $$;

create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();
