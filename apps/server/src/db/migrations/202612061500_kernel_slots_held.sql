-- Whoever moves a slot on runs the job. The row is held while a run is under way that no near slot would make good, and
-- after a failed run until it comes again.
alter table job_slot add column run_until timestamptz;
alter table job_slot add column tries int not null default 0;
