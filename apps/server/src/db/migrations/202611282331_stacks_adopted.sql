-- What Kubernetes fixed of a workload before a service took it over: its selector, the labels of its pods, the ports of its
-- address. Null: the product made it.
alter table service add column adopted jsonb;
