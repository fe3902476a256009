-- What a build deployed is found by the beginning of the key.
create index service_revision_by_deployment on service_revision (deploy_key text_pattern_ops) where deploy_key is not null;
