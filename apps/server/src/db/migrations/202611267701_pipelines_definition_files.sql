-- A pipeline's definition may be a file of its repository, of the commit that a build is of. Until the file has been read
-- the build has no jobs.
alter table build
  -- empty: the definition is the pipeline's own, or a draft
  add column definition_path text not null default '',
  -- the commit that the file is of; empty until it has been read
  add column definition_commit text not null default '',
  -- why the file cannot run: places in its text, each with a phrase and its values
  add column definition_problems jsonb not null default '[]';
