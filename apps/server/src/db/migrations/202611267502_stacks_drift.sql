-- How many fields of what was applied others changed in the cluster, as it was last seen.
alter table service add drift int not null default 0;
