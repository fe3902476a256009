-- When the cluster had a zone whole for the first time. Until then whoever makes it may still be writing to the cluster, so
-- that its row is not deleted by others.
alter table zone add column ready_at timestamptz;
update zone set ready_at = changed_at where state = 'ready';
