-- What cache steps keep for later builds: of a branch, a tag or a merge request ('branch main', 'request 7').
create table pipeline_cache (
  id int generated always as identity primary key,
  team_id int not null references team on delete cascade,
  pipeline_id int not null references pipeline on delete cascade,
  scope text not null,
  platform text not null,
  key text not null,
  size bigint not null,
  sha256 text not null,
  blob text not null,
  kept_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  constraint pipeline_cache_once unique (pipeline_id, scope, platform, key)
);
create index pipeline_cache_of_team on pipeline_cache (team_id, used_at desc, id desc);
