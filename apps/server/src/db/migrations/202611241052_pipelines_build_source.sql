-- What a build was triggered for, beside its branch and commit.
alter table build
  add column tag text not null default '',
  -- {number, source, target, fork}
  add column merge_request jsonb,
  -- the image whose new version triggered it
  add column image text not null default '',
  -- what the push or merge request changed; null: not known
  add column changed_paths text[];
