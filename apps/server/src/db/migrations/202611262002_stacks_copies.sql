-- The copy of a service beside it, while an upgrade that made it is open, and how the last one ended. The service's own
-- specification is what the copy runs; what runs before is `previous_spec`.
alter table service add column copy jsonb;
