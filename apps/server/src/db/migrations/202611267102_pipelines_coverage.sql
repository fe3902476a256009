-- What coverage reports say of each file: the lines that were run, and those that were not.
create table build_coverage (
  build_id int not null,
  step int not null,
  file text not null,
  hit int4multirange not null,
  missed int4multirange not null,
  primary key (build_id, step, file),
  foreign key (build_id, step) references build_step on delete cascade
);

-- How many findings of each severity the reports of scan steps have.
create table build_scan (
  build_id int not null,
  step int not null,
  path text not null,
  critical int not null,
  high int not null,
  medium int not null,
  low int not null,
  primary key (build_id, step, path),
  foreign key (build_id, step) references build_step on delete cascade
);

create function lines_of(ranges int4multirange) returns int language sql immutable parallel safe
  return (select coalesce(sum(upper(r) - lower(r)), 0) from unnest(ranges) as r);
