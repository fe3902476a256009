-- What the keys of a profile were at its last revisions; sealed values are sealed here too.
create table config_revision (
  profile_uuid uuid not null references config_profile on delete cascade,
  revision int not null,
  action text not null,
  -- the first of those that it changed, and how many there were
  keys text[] not null,
  changes int not null,
  by text not null,
  at timestamptz not null default now(),
  entries jsonb not null,
  primary key (profile_uuid, revision)
);

-- what profiles are by now is the first revision that they return to
insert into config_revision (profile_uuid, revision, action, keys, changes, by, at, entries)
select profile.uuid, profile.revision, 'create', '{}', 0, profile.updated_by, profile.updated_at,
  coalesce((select jsonb_agg(jsonb_build_object('key', key, 'value', value, 'secret', secret))
    from config_entry where profile_uuid = profile.uuid), '[]')
from config_profile profile;
