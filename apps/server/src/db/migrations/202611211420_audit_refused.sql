-- What was refused is asked for together with who, what and where: answered from the index alone.
drop index audit_log_refused_time;
create index audit_log_refused_time on audit_log (started_at desc, id desc) include (actor_kind, actor_id, action, team_id)
  where status >= 400;
