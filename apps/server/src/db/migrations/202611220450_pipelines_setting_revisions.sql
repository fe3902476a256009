-- Counts up with each save, so that of two forms that were opened together the second does not undo the first.
alter table pipeline add column setting_revision int not null default 1;
alter table pipeline_group add column variables_revision int not null default 1;
