alter table environment
  -- how it is reached: an address with credentials, or the agent that dials out of it
  add column reach text not null default 'kubeconfig' check (reach in ('kubeconfig', 'token', 'agent')),
  -- what its nodes offer: cores, GiB, pods
  add column capacity jsonb,
  -- in use of that, percent
  add column usage jsonb not null default '{"cpu": null, "memory": null}';
