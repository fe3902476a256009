-- The deployment of a chart that a step of a build began: asked again, the step follows it, whoever deploys since.
create table helm_release_deploy (
  deploy_key text primary key,
  release_id int not null references helm_release on delete cascade,
  -- that of the release when it began
  generation int not null
);
create index helm_release_deploy_of_release on helm_release_deploy (release_id);

-- Likewise of a release that a step began.
alter table stack_release add column deploy_key text;
create unique index stack_release_deploy on stack_release (stack_id, deploy_key);
