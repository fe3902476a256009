-- What finished or failed for a user, until it is read. Its text is a phrase and its values; the newest are kept.
create table notification (
  id bigint generated always as identity primary key,
  account_id int not null references account on delete cascade,
  -- of which team it is; null: of none
  team_id int references team on delete cascade,
  -- what reading the object takes in that team; null: nothing more than being in it
  permission text,
  kind text not null,
  tone text not null check (tone in ('ok', 'bad', 'warn', 'info')),
  text jsonb not null,
  -- the screen that shows the object: {route, params}
  target jsonb,
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create index notification_account on notification (account_id, id);
create index notification_team on notification (team_id) where team_id is not null;
