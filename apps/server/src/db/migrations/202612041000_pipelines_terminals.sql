-- Terminals that wait for an agent to dial. A row lives until the agent's next claim takes it.
create table build_terminal (
  id uuid primary key default gen_random_uuid(),
  agent_id int not null references agent on delete cascade,
  job_id int not null references build_job on delete cascade,
  attempt int not null,
  -- the step that runs; null: the job has failed
  step int,
  asked_at timestamptz not null default now()
);
create index build_terminal_agent on build_terminal (agent_id);
create index build_terminal_job on build_terminal (job_id);
