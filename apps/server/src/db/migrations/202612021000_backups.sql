-- Backups of this database: their files are blobs.
create table backup_file (
  id uuid primary key default gen_random_uuid(),
  cause text not null constraint backup_file_cause check (cause in ('schedule', 'hand')),
  state text not null default 'waiting' constraint backup_file_state check (state in ('waiting', 'running', 'done', 'failed')),
  created_by text not null default '',
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  key text,
  size bigint,
  sha256 text not null default '',
  release text not null default '',
  problem jsonb
);
-- One is made at a time.
create unique index backup_file_open on backup_file ((true)) where state in ('waiting', 'running');
create index backup_file_newest on backup_file (created_at desc, id);
