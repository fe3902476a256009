-- Whether the pods' template lets them run on hosts that are dedicated to their team. It is taken up with the next change that makes
-- pods anew anyway: the template of what runs stays as it is, so that nothing restarts.
alter table service add column pod_dedicated boolean not null default false;
