create table blueprint (
  id int generated always as identity primary key,
  uuid uuid not null default gen_random_uuid(),
  team_id int not null references team on delete cascade,
  product_id int not null references product on delete cascade,
  version text not null,
  description text not null,
  template text not null,
  tosca_version text not null,
  service_num int not null,
  revision int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text not null,
  constraint blueprint_uuid unique (uuid),
  constraint blueprint_version unique (product_id, version)
);
create index blueprint_of_team on blueprint (team_id);

-- What a stack was deployed from, or upgraded with.
alter table stack add blueprint_id int references blueprint on delete set null;
create index stack_of_blueprint on stack (blueprint_id) where blueprint_id is not null;
alter table stack add istio boolean not null default false;

-- A blueprint put into a stack: as one, confirmed or returned from.
create table stack_release (
  id int generated always as identity primary key,
  stack_id int not null references stack on delete cascade,
  blueprint_id int references blueprint on delete set null,
  -- the stack's before, to return to
  blueprint_before int references blueprint on delete set null,
  version text not null,
  action text not null check (action in ('deploy', 'upgrade')),
  state text not null check (state in ('open', 'confirmed', 'returned')),
  made text[] not null,
  changed text[] not null,
  removed text[] not null,
  -- by the name of a service: what it was, its secrets sealed
  before jsonb not null,
  -- secret ones masked
  inputs jsonb not null,
  by text not null,
  created_at timestamptz not null default now()
);
create index stack_release_of_stack on stack_release (stack_id, id);
create index stack_release_of_blueprint on stack_release (blueprint_id);
create index stack_release_blueprint_before on stack_release (blueprint_before);
create unique index stack_release_open on stack_release (stack_id) where state = 'open';

-- The services of the stack that are started before it.
alter table service add requires text[] not null default '{}';
-- The open release that it is a part of, with which it is confirmed or returned from.
alter table service add release_id int references stack_release on delete set null;
create index service_of_release on service (release_id) where release_id is not null;

-- Whoever may do so with products may also do so with their versions, until a role says otherwise.
update team_role r set permissions = permissions || array(
  select replace(key, 'product_product_', 'product_blueprint_') from unnest(r.permissions) key
  where key in ('product_product_view', 'product_product_create', 'product_product_edit', 'product_product_delete')
);
update system_role r set permissions = permissions || array(
  select replace(key, 'product_product_', 'product_blueprint_') from unnest(r.permissions) key
  where key in ('product_product_view', 'product_product_create', 'product_product_edit', 'product_product_delete')
);
