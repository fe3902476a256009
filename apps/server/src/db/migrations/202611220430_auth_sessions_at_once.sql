-- An account may have very many sessions, and all of them end at once: one event an account, not one a row.
create function note_sessions_ended() returns trigger language plpgsql as $$
begin
  insert into outbox (topic, content)
  select 'access', jsonb_build_object('table', 'session', 'accountId', account_id)
  from gone
  group by account_id;
  return null;
end $$;

drop trigger session_access on session;
create trigger session_access after delete on session
  referencing old table as gone
  for each statement execute function note_sessions_ended();

create or replace function forget_oauth_session() returns trigger language plpgsql as $$
begin
  delete from oauth_session
  where family in (select family from gone)
    and not exists (select from session where session.family = oauth_session.family);
  return null;
end $$;

drop trigger session_oauth on session;
create trigger session_oauth after delete on session
  referencing old table as gone
  for each statement execute function forget_oauth_session();

-- What a session or a token takes with it is found without reading all tickets.
create index ticket_session on ticket (session_id);
create index ticket_api_token on ticket (api_token_id);
