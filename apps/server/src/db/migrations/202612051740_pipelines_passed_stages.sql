-- A step that a retry does not run again says in which earlier attempt of its job it passed; one of the latest attempt says nothing.
alter table build_step add column passed_in int;
alter table build_attempt_step add column passed_in int;

-- Under which key an agent keeps the whole workspace of a job of several stages; null: each of its attempts runs all steps.
alter table build_job add column resume uuid;
