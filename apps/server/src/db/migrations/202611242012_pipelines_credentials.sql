-- Credentials of a team for repositories; the secret is sealed.
create table pipeline_credential (
  id int generated always as identity primary key,
  team_id int not null references team on delete cascade,
  name text not null,
  description text not null,
  kind text not null check (kind in ('password', 'token', 'ssh')),
  host text not null,
  username text not null,
  secret text not null,
  revision int not null default 1,
  updated_at timestamptz not null default now(),
  constraint pipeline_credential_name unique (team_id, name)
);

alter table pipeline add column repository_credential_id int
  constraint pipeline_uses_credential references pipeline_credential;
create index pipeline_of_credential on pipeline (repository_credential_id) where repository_credential_id is not null;

-- Whoever may change pipelines enters the secrets of their repositories already.
update team_role set permissions = permissions || '{pipeline_credential_operate}'
where 'pipeline_pipeline_edit' = any (permissions) and not 'pipeline_credential_operate' = any (permissions);
update system_role set permissions = permissions || '{pipeline_credential_operate}'
where 'pipeline_pipeline_edit' = any (permissions) and not 'pipeline_credential_operate' = any (permissions);
