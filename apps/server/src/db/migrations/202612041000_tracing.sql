-- The Jaeger and the Kiali of a cluster; without a row there is none.
create table tracing_source (
  environment uuid not null references environment on delete cascade,
  kind text not null check (kind in ('jaeger', 'kiali')),
  url text not null,
  username text not null default '',
  -- sealed
  password text,
  token text,
  -- what the server calls this cluster, where it knows several
  cluster text not null default '',
  -- what it said of itself when it was saved
  version text not null default '',
  primary key (environment, kind)
);
