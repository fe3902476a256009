-- Preset services: what administrators offer teams for deployment.
create table catalog (
  id int generated always as identity primary key,
  name text not null constraint catalog_name unique,
  description text not null default '',
  -- every team may deploy it; else those of catalog_team
  for_all boolean not null default true,
  -- what it was shipped as, whose description is a phrase as long as it has none of its own
  shipped text,
  revision int not null default 1,
  updated_at timestamptz not null default now(),
  updated_by text not null
);

create table catalog_team (
  catalog_id int not null references catalog on delete cascade,
  team_id int not null constraint catalog_team_team references team on delete cascade,
  primary key (catalog_id, team_id)
);
create index catalog_team_of_team on catalog_team (team_id);

create table catalog_tag (
  id int generated always as identity primary key,
  name text not null constraint catalog_tag_name unique
);

create table catalog_tagged (
  catalog_id int not null references catalog on delete cascade,
  -- a tag in use is not deleted
  tag_id int not null constraint catalog_tagged_tag references catalog_tag,
  primary key (catalog_id, tag_id)
);
create index catalog_tagged_of_tag on catalog_tagged (tag_id);

create table catalog_image (
  catalog_id int primary key references catalog on delete cascade,
  image bytea not null,
  version text not null
);

-- A version of a preset service.
create table catalog_template (
  id int generated always as identity primary key,
  catalog_id int not null constraint catalog_template_catalog references catalog on delete cascade,
  version text not null,
  notes text not null default '',
  template text not null,
  tosca_version text not null,
  service_num int not null,
  published boolean not null default false,
  revision int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text not null,
  constraint catalog_template_version unique (catalog_id, version)
);

-- What a stack was deployed from, or upgraded with. A version that a stack runs is not deleted.
alter table stack add template_id int constraint stack_template references catalog_template;
create index stack_of_template on stack (template_id) where template_id is not null;

alter table stack_release add template_id int references catalog_template on delete set null;
-- the stack's before, to return to
alter table stack_release add template_before int
  constraint stack_release_template_before references catalog_template on delete set null;
create index stack_release_of_template on stack_release (template_id) where template_id is not null;
create index stack_release_template_before on stack_release (template_before) where template_before is not null;
