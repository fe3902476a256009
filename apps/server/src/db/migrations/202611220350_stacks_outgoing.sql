-- What may still run of what a service was before its last changes, cores and GiB: it takes its part of the stack's share
-- until the service has settled.
alter table service
  add column outgoing_cpu double precision not null default 0,
  add column outgoing_memory double precision not null default 0;
