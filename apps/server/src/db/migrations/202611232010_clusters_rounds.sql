-- Which round holds a drain, as of a stack. lease_until is the end of its lease or, after it, of the pause, which due_at was.
alter table host_drain add column settle_round int not null default 0;

-- The same of hosts that are owed and of clusters that are left. asked_at tells a row from one that was taken back before.
alter table host_return
  add column settle_until timestamptz,
  add column settle_round int not null default 0,
  add column asked_at timestamptz not null default now();
alter table environment
  add column settle_until timestamptz,
  add column settle_round int not null default 0;
