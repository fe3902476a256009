-- Registered by a visitor, and not let in yet.
alter table account drop constraint account_status_check;
alter table account add constraint account_status_check
  check (status in ('normal', 'unapproved', 'disabled', 'locked', 'inactive'));

-- A picture, drawn anew by us: 256 × 256.
create table account_avatar (
  account_id int primary key references account on delete cascade,
  image bytea not null,
  version text not null
);

-- The directory's or provider's mapping that made somebody a member: it may take that back. Empty: somebody did it here.
alter table team_member add column granted_by text not null default '';
create index team_member_granted_by on team_member (granted_by) where granted_by <> '';

alter table session add column user_agent text not null default '';
alter table session add column last_seen_at timestamptz not null default now();
-- A leader looks at the team as this role sees it, in every tab, and changes nothing.
alter table session add column view_as int references team_role on delete set null;
create trigger session_view_as after update of view_as on session
  for each row execute function note_access_change();

alter table api_token add column permissions text[] not null default '{}';
alter table api_token add column expires_at timestamptz;

alter table system_role add column built_in boolean not null default false;
