-- The order of keys in a definition's dictionaries, by their paths, where jsonb keeps them in another one.
alter table pipeline add column definition_order jsonb not null default '{}';
alter table pipeline_revision add column definition_order jsonb not null default '{}';
