-- Of which parameters a build's values are sealed.
alter table build add column secret_parameters text[] not null default '{}';
