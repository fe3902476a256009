-- Which of the provider's sessions a login of ours came from, so that either can end the other. Gone with the login.
create table oauth_session (
  family uuid primary key,
  issuer text not null,
  subject text not null,
  sid text not null default '',
  -- sealed: shown to the provider at logout
  id_token text not null,
  -- where the browser ends the provider's session; empty where that is not offered
  end_session_endpoint text not null default '',
  client_id text not null,
  created_at timestamptz not null default now()
);
create index oauth_session_subject on oauth_session (issuer, subject);
create index oauth_session_sid on oauth_session (issuer, sid) where sid <> '';

create function forget_oauth_session() returns trigger language plpgsql as $$
begin
  delete from oauth_session
  where family = old.family and not exists (select from session where session.family = old.family);
  return null;
end $$;

create trigger session_oauth after delete on session
  for each row execute function forget_oauth_session();
