-- Which rights to pull the namespaces of stacks have been given: what changes since is brought there.
create table pull_secret (
  stack_id int not null references stack on delete cascade,
  -- without a foreign key: the secret of a registry that is gone is still to be removed
  registry_id int not null,
  -- of address, account and sealed password; null: to be removed
  fingerprint text,
  problem jsonb,
  applied_at timestamptz not null default now(),
  primary key (stack_id, registry_id)
);
