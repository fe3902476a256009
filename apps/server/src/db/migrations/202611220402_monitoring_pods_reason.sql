-- Why the last sampling of a cluster has its hosts and none of its pods.
alter table monitoring_sampling add column pods_reason jsonb;
