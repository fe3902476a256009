-- The guided first minute: what the product made for a team. A part that was deleted by itself leaves null.
create table sample (
  team_id int primary key references team on delete cascade,
  state text not null default 'ready' check (state in ('ready', 'removing')),
  -- of the repository, sealed
  password text not null,
  commits int not null default 0,
  group_id int references pipeline_group on delete set null,
  pipeline_id int references pipeline on delete set null,
  product_id int references product on delete set null,
  stack_id int references stack on delete set null,
  created_at timestamptz not null default now()
);
