-- The cluster that an agent's jobs in Kubernetes run in, as an administrator says; null: none is said.
alter table agent add column environment uuid constraint agent_environment references environment on delete set null;
create index agent_of_environment on agent (environment) where environment is not null;

-- The build images that a job and its services run in; jobs of earlier releases name none and are not limited.
alter table build_job add column images int[] not null default '{}';
