-- A person, of one way to sign in: an LDAP or OAuth identity never becomes a local account of the same name.
create table account (
  id int generated always as identity primary key,
  type text not null default 'IDENTITY' check (type in ('IDENTITY', 'LDAP', 'OAUTH')),
  provider text not null default '',
  subject text not null,
  user_name text not null,
  nickname text not null default '',
  email text not null default '',
  password_hash text,
  password_changed_at timestamptz not null default now(),
  admin boolean not null default false,
  newly_built boolean not null default false,
  -- normal; disabled by hand; locked after wrong passwords; inactive after 90 days without a login
  status text not null default 'normal' check (status in ('normal', 'disabled', 'locked', 'inactive')),
  wrong_passwords int not null default 0,
  last_login_at timestamptz,
  -- created or let back in: from here, or from the last login, count the 90 days
  active_since timestamptz not null default now(),
  space_name text not null default '',
  setting jsonb not null default '{}',
  default_team_id int,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint account_identity unique (type, provider, subject)
);
create unique index account_local_email on account (lower(email)) where type = 'IDENTITY' and email <> '';

create table team (
  id int generated always as identity primary key,
  name text not null constraint team_name unique,
  description text not null default '',
  creator_id int references account on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table account add constraint account_default_team foreign key (default_team_id) references team on delete set null;

create table team_role (
  id int generated always as identity primary key,
  team_id int not null references team on delete cascade,
  name text not null,
  permissions text[] not null default '{}',
  created_at timestamptz not null default now(),
  constraint team_role_name unique (team_id, name),
  constraint team_role_of_team unique (team_id, id)
);

create table team_member (
  team_id int not null references team on delete cascade,
  account_id int not null references account on delete cascade,
  role_id int,
  leader boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (team_id, account_id),
  -- a role of another team can never be given
  constraint team_member_role foreign key (team_id, role_id) references team_role (team_id, id)
);
create index team_member_account on team_member (account_id);

-- Roles that hold in every team of the user.
create table system_role (
  id int generated always as identity primary key,
  name text not null constraint system_role_name unique,
  permissions text[] not null default '{}',
  created_at timestamptz not null default now()
);

create table account_system_role (
  account_id int not null references account on delete cascade,
  role_id int not null references system_role on delete cascade,
  primary key (account_id, role_id)
);

-- One login is a family: its cookie and a bearer token a tab. Only hashes are kept.
create table session (
  id bigint generated always as identity primary key,
  family uuid not null,
  kind text not null check (kind in ('bearer', 'cookie')),
  token_hash bytea not null constraint session_token unique,
  account_id int not null references account on delete cascade,
  team_id int references team on delete set null,
  ip text not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index session_account on session (account_id);
create index session_family on session (family);
create index session_expiry on session (expires_at);

create table api_token (
  id int generated always as identity primary key,
  team_id int not null references team on delete cascade,
  account_id int not null references account on delete cascade,
  alias text not null,
  token_hash bytea not null constraint api_token_token unique,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  constraint api_token_alias unique (team_id, alias)
);

-- One use, 30 seconds, for one method and path: what opens a websocket or a download, where no header can be sent.
create table ticket (
  token_hash bytea primary key,
  session_id bigint references session on delete cascade,
  api_token_id int references api_token on delete cascade,
  method text not null,
  path text not null,
  expires_at timestamptz not null
);
create index ticket_expiry on ticket (expires_at);

-- Whatever narrows a person's rights leaves an event, whoever wrote it: open sockets are asked again within a second.
create function note_access_change() returns trigger language plpgsql as $$
declare
  before jsonb := to_jsonb(old);
begin
  insert into outbox (topic, content) values (
    'access',
    jsonb_build_object(
      'table', tg_table_name,
      'accountId', case tg_table_name when 'account' then before -> 'id' else before -> 'account_id' end,
      'teamId', before -> 'team_id',
      'family', before -> 'family'
    )
  );
  return null;
end $$;

create trigger account_access after update of status, admin, newly_built, password_hash or delete on account
  for each row execute function note_access_change();
create trigger team_member_access after update or delete on team_member
  for each row execute function note_access_change();
create trigger team_role_access after update of permissions or delete on team_role
  for each row execute function note_access_change();
create trigger system_role_access after update of permissions or delete on system_role
  for each row execute function note_access_change();
create trigger account_system_role_access after delete on account_system_role
  for each row execute function note_access_change();
create trigger session_access after delete on session
  for each row execute function note_access_change();
create trigger api_token_access after delete on api_token
  for each row execute function note_access_change();
