-- A build that names a commit asks which builds of its pipeline were of it: whether it is known from a fork alone.
create index build_of_commit on build (pipeline_id, commit);
