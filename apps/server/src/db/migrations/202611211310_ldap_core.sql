create table ldap_server (
  id int generated always as identity primary key,
  name text not null constraint ldap_server_name unique,
  url text not null,
  start_tls boolean not null,
  ca text not null,
  bind_dn text not null,
  -- sealed
  bind_password text,
  base_dn text not null,
  user_filter text not null,
  user_name_attribute text not null,
  nickname_attribute text not null,
  email_attribute text not null,
  group_base_dn text not null,
  group_member_attribute text not null,
  create_at_login boolean not null,
  enabled boolean not null,
  -- [{group, teamId, roleId}]
  mappings jsonb not null default '[]',
  -- when its accounts were last looked up, and why that failed: a phrase and its values
  checked_at timestamptz,
  problem jsonb,
  created_at timestamptz not null default now()
);

-- What is known of an account beside the account: account.provider is the server's id, account.subject the entry's.
create table ldap_account (
  account_id int primary key references account on delete cascade,
  dn text not null,
  -- Why the look at the directory disabled it: a phrase and its values. Only who was disabled so is let in again so.
  barred jsonb,
  -- fingerprint of what was taken over: names, address, teams
  applied text not null default ''
);

-- Whoever else decides about an account takes the decision from the directory.
create function ldap_account_unbar() returns trigger language plpgsql as $$
begin
  update ldap_account set barred = null where account_id = new.id and barred is not null;
  return null;
end $$;
create trigger account_ldap_unbar after update of status on account
  for each row execute function ldap_account_unbar();
