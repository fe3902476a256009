-- Mails that wait, and how they ended. Written in the transaction of what they tell of, and already in words: what they
-- say was true then.
create table mail_outbox (
  id bigint generated always as identity primary key,
  -- What it tells of: the same is told to the same person once.
  key text not null unique,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts int not null default 0,
  -- Why the last try failed, as a phrase.
  problem jsonb,
  -- Not before then; whoever tries moves it on, so that nobody else does at the same time.
  next_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index mail_outbox_due on mail_outbox (next_at) where state = 'waiting';
create index mail_outbox_ended on mail_outbox (ended_at) where state <> 'waiting';
