-- What jobs run in, and what stands in front of services: images that people choose by name.
create table job_image (
  id int generated always as identity primary key,
  kind text not null check (kind in ('internal', 'customer')),
  -- null: every team's
  team_id int references team on delete cascade,
  type text not null check (type in ('BUILD', 'LB')),
  name text not null,
  image text not null,
  description text not null default '',
  catalog text not null default '',
  revision int not null default 1,
  updated_at timestamptz not null default now(),
  updated_by text not null,
  constraint job_image_name unique nulls not distinct (team_id, name),
  constraint job_image_internal check (kind = 'customer' or team_id is null)
);

-- In which of a team's clusters an image is used; where a team has none of an image, in all of them.
create table job_image_environment (
  image_id int not null references job_image on delete cascade,
  team_id int not null,
  environment uuid not null,
  primary key (image_id, team_id, environment),
  foreign key (environment, team_id) references environment_team on delete cascade
);
create index job_image_environment_of_team on job_image_environment (environment, team_id);

-- Which pipelines have jobs in an image: written with their definitions, and what keeps it from being deleted.
create table pipeline_job_image (
  pipeline_id int not null references pipeline on delete cascade,
  image_id int not null references job_image,
  primary key (pipeline_id, image_id)
);
create index pipeline_job_image_of_image on pipeline_job_image (image_id);

insert into job_image (kind, type, name, image, catalog, updated_by) values
  ('internal', 'BUILD', 'Alpine 3', 'alpine:3', 'Linux', 'gantry'),
  ('internal', 'BUILD', 'Node.js 24', 'node:24', 'JavaScript', 'gantry'),
  ('internal', 'BUILD', 'Python 3', 'python:3', 'Python', 'gantry'),
  ('internal', 'BUILD', 'Go 1', 'golang:1', 'Golang', 'gantry'),
  ('internal', 'BUILD', 'Maven 3, Java 21', 'maven:3-eclipse-temurin-21', 'Java', 'gantry'),
  ('internal', 'BUILD', 'Gradle 8, Java 21', 'gradle:8-jdk21', 'Java', 'gantry'),
  ('internal', 'LB', 'NGINX', 'nginx:stable', 'NGINX', 'gantry'),
  ('internal', 'LB', 'HAProxy', 'haproxy:lts', 'HAProxy', 'gantry');
