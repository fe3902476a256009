-- What a pipeline was in each of its revisions, whole, with secrets masked.
create table pipeline_revision (
  pipeline_id int not null references pipeline on delete cascade,
  revision int not null,
  document jsonb not null,
  -- what differs from the revision before; a changed secret counts, though its mask does not differ
  fields text[] not null,
  action text not null,
  by text not null,
  created_at timestamptz not null default now(),
  primary key (pipeline_id, revision)
);

alter table pipeline
  add column revision int not null default 1,
  -- settings that have no column of their own, by their names in the document
  add column settings jsonb not null default '{}';

-- The two counts become one. A page that is open meanwhile holds one of the old: it is either the number of the new, and then nothing
-- was saved since, or one that is refused.
update pipeline set revision = greatest(definition_revision, setting_revision);

insert into pipeline_revision (pipeline_id, revision, document, fields, action, by, created_at)
select id, revision,
  jsonb_build_object(
    'appId', group_id,
    'projectName', name,
    'description', description,
    'repository', case when repository_url is not null then jsonb_build_object(
      'url', repository_url,
      'branch', repository_branch,
      'username', repository_username,
      'password', case when coalesce(repository_password, '') = '' then '' else '********' end
    ) end,
    'definition', definition,
    'timeoutMinutes', timeout_minutes,
    'keepBuilds', keep_builds,
    'concurrent', concurrent,
    'agentLabels', to_jsonb(agent_labels),
    'variables', (
      select coalesce(jsonb_agg(
        case when (variable -> 'secret')::boolean and variable ->> 'value' <> ''
          then variable || '{"value": "********"}' else variable end
        order by place), '[]')
      from jsonb_array_elements(variables) with ordinality as each (variable, place)
    ),
    'parameters', parameters
  ),
  '{}', 'migrate', '', updated_at
from pipeline;

-- What the build's pipeline was when it was triggered; null: what the row itself has is all that is known of it.
alter table build
  add column revision int,
  add foreign key (pipeline_id, revision) references pipeline_revision;
