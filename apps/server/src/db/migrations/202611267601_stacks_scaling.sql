alter table service
  -- how many instances autoscaling wishes; null: it has not decided yet, or does not
  add column instances int check (instances between 0 and 1000),
  -- what it has seen, and its last change
  add column scaling jsonb,
  -- the lease under which it decides
  add column scale_until timestamptz,
  add column scale_round bigint not null default 0;
