-- What the provider said of the groups of an account at its last sign-in, also where that was refused: who maps groups
-- to teams sees how the provider spells them.
create table oauth_account (
  account_id int primary key references account on delete cascade,
  -- a list of texts; null where the provider said that there are too many to tell
  groups jsonb,
  signed_in_at timestamptz not null default now()
);
create index oauth_account_signed_in_at on oauth_account (signed_in_at);
