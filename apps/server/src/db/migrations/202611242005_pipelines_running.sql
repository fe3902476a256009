-- No build of a paused pipeline begins; those that have begun go on.
alter table pipeline
  add column paused_at timestamptz,
  add column paused_by text not null default '',
  add column paused_reason text not null default '';
create index pipeline_paused on pipeline (id) where paused_at is not null;

alter table build
  -- of the builds with one lane, one runs at a time
  add column lane text,
  -- a pinned build keeps all it has
  add column pinned boolean not null default false,
  -- When what it had was removed. The row stays: reports count it.
  add column emptied_at timestamptz,
  add column logs_removed_at timestamptz,
  add column artifacts_removed_at timestamptz;
create unique index build_exclusive_lane on build (lane)
  where lane is not null and started_at is not null and ended_at is null;
create index build_lane on build (lane, id) where lane is not null and ended_at is null;
create index build_full on build (pipeline_id, ended_at) where ended_at is not null and emptied_at is null and not pinned;
