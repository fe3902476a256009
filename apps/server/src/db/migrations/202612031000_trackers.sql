-- Connections to issue trackers, and what is remembered of their issues.
create table jira (
  id int generated always as identity primary key,
  name text not null constraint jira_name unique,
  url text not null,
  kind text not null check (kind in ('cloud', 'data-center')),
  email text not null,
  -- sealed
  token text not null,
  all_teams boolean not null,
  projects text[] not null,
  comment boolean not null,
  transition text not null,
  version text not null,
  login text not null,
  checked_at timestamptz not null default now(),
  -- why the last check failed
  problem jsonb,
  revision int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table jira_team (
  jira_id int not null references jira on delete cascade,
  team_id int not null references team on delete cascade,
  primary key (jira_id, team_id)
);
create index jira_team_team on jira_team (team_id);

-- What was last read of an issue: it is asked for once a minute at most, however many look at it.
create table jira_issue (
  jira_id int not null references jira on delete cascade,
  key text not null,
  state text not null check (state in ('reading', 'known', 'missing', 'failed')),
  title text not null default '',
  status text not null default '',
  category text not null default 'unknown' check (category in ('todo', 'doing', 'done', 'unknown')),
  problem jsonb,
  -- when Jira was last asked
  read_at timestamptz not null default now(),
  primary key (jira_id, key)
);
create index jira_issue_read_at on jira_issue (read_at);

-- An issue that is told that a build succeeded.
create table build_issue (
  build_id int not null references build on delete cascade,
  jira_id int not null references jira on delete cascade,
  key text not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  commented boolean not null default false,
  moved boolean not null default false,
  -- the status that it is being moved to
  moving_to text not null default '',
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  problem jsonb,
  primary key (build_id, jira_id, key)
);
create index build_issue_due on build_issue (next_at) where state = 'waiting';
create index build_issue_jira on build_issue (jira_id);
