-- What the code quality server finds for a step of a build.
create table code_quality_result (
  build_id int not null,
  step int not null,
  -- of the job that holds the analysis
  attempt int not null,
  -- the server that analyses, and when it began by its own clock: an older analysis is not of this step
  server text not null,
  since timestamptz not null,
  -- null until there is a result
  passed boolean,
  checks jsonb not null default '[]',
  at timestamptz,
  primary key (build_id, step),
  foreign key (build_id, step) references build_step on delete cascade
);
