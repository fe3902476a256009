-- Charts of a repository in the order in which they are listed, of which an index may have thousands.
create index helm_chart_by_natural_name on helm_chart (repository_id, name_order(name) collate "C");
