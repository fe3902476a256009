-- Under which key an agent keeps the workspace of a job that failed, for a retry; null: the definition does not ask for it.
alter table build_job add column workspace uuid;
