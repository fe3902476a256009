-- What logs and test reports say about lines of files.
create table build_annotation (
  id int generated always as identity primary key,
  build_id int not null,
  step int not null,
  -- the report's path; empty: the step's log
  report text not null,
  level text not null check (level in ('error', 'warning', 'notice')),
  file text not null,
  line int not null,
  "column" int,
  message text not null,
  -- the line of the log, from 0
  log_line int,
  foreign key (build_id, step) references build_step on delete cascade
);
create index build_annotation_of_step on build_annotation (build_id, step);
