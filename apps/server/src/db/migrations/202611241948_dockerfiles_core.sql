create table dockerfile (
  id int generated always as identity primary key,
  team_id int not null references team on delete cascade,
  name text not null,
  description text not null,
  content text not null,
  revision int not null default 1,
  updated_at timestamptz not null default now(),
  updated_by text not null,
  constraint dockerfile_name unique (team_id, name)
);

-- Which pipelines build by a Dockerfile: written with their definitions, and what keeps it from being deleted.
create table pipeline_dockerfile (
  pipeline_id int not null references pipeline on delete cascade,
  dockerfile_id int not null references dockerfile,
  primary key (pipeline_id, dockerfile_id)
);
create index pipeline_dockerfile_of_dockerfile on pipeline_dockerfile (dockerfile_id);

-- Whoever may do so with pipelines may also do so with what they build by, until a role says otherwise.
update team_role r set permissions = permissions || array(
  select replace(key, 'pipeline_pipeline_', 'pipeline_dockerfile_') from unnest(r.permissions) key
  where key in ('pipeline_pipeline_view', 'pipeline_pipeline_create', 'pipeline_pipeline_edit', 'pipeline_pipeline_delete')
);
update system_role r set permissions = permissions || array(
  select replace(key, 'pipeline_pipeline_', 'pipeline_dockerfile_') from unnest(r.permissions) key
  where key in ('pipeline_pipeline_view', 'pipeline_pipeline_create', 'pipeline_pipeline_edit', 'pipeline_pipeline_delete')
);
