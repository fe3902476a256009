-- A browser in which an account has signed in: its wrong passwords are counted apart from those of strangers.
create table known_browser (
  token_hash bytea primary key,
  account_id int not null references account on delete cascade,
  -- of its last login
  family uuid not null,
  wrong_passwords int not null default 0,
  last_login_at timestamptz not null default now()
);
create index known_browser_account on known_browser (account_id, last_login_at);
