-- The API token that a build was triggered by, by its alias, and what that might do: the build may do no more.
alter table build
  add column token_alias text,
  add column token_permissions text[];
