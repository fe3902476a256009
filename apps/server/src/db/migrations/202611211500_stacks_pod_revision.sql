-- What the template of the pods says: the revision and the pin of the image. A change of the number of replicas is a
-- revision of the service and leaves both, so that it makes no pod anew.
alter table service add column pod_revision int not null default 1;
alter table service add column pod_digest text not null default '';
update service set pod_revision = revision, pod_digest = digest;
