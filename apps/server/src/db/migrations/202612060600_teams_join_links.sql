-- The template whose permissions a role carries, until somebody changes them; null: they are its own.
alter table team_role add column template text;

-- Links to join a team. Each is valid once: it is deleted when somebody joins by it, and when it is revoked.
create table team_join_link (
  id bigint generated always as identity primary key,
  team_id int not null references team on delete cascade,
  token_hash bytea not null unique,
  leader boolean not null,
  role_id int references team_role on delete cascade,
  -- Whoever joins gets no more than its maker may still grant at that time.
  account_id int not null references account on delete cascade,
  -- Where it was sent; empty: it was copied.
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index team_join_link_team on team_join_link (team_id);
create index team_join_link_role on team_join_link (role_id);
create index team_join_link_account on team_join_link (account_id);
create index team_join_link_expired on team_join_link (expires_at);

-- What the text of a mail only holds a place for: sealed, and gone once the mail is.
alter table mail_outbox add column secret text;
