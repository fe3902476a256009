-- Whether a user gets a mail when a decision waits for them.
alter table account add column mail_decisions boolean not null default false;

-- The values that somebody approved a stage with, those of secrets masked; null: a decision of an earlier release.
alter table build_decision add column parameters jsonb;

-- Since when another cluster answers.
alter table environment add column answers_at timestamptz;

-- What waits for people is read often, and is little.
create index build_review_waiting on build_review (build_id) where state = 'waiting';
create index build_gate_waiting on build_gate (build_id) where state = 'waiting';
create index service_waiting on service (stack_id) where state in ('upgraded', 'upgrading');
create index account_waiting on account (id) where status = 'unapproved';
