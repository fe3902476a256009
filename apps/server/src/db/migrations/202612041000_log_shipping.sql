-- Records of the audit log that Kafka has not yet confirmed. A record is queued in the transaction that writes it, and
-- leaves once it has arrived: none is passed over that commits late, and numbers of transactions, which no backup
-- keeps, are not needed.
create table audit_shipment (
  audit_id bigint primary key
);

create function queue_audit_records() returns trigger language plpgsql as $$
begin
  if exists (
    select from setting where name = 'kafka' and (value ->> 'enabled')::boolean and value ->> 'auditTopic' <> ''
  ) then
    insert into audit_shipment (audit_id) select id from written;
  end if;
  return null;
end $$;

create trigger audit_log_queue after insert on audit_log
  referencing new table as written
  for each statement execute function queue_audit_records();

-- Which server sends them: one at a time.
create table audit_shipper (
  id int primary key default 1 constraint audit_shipper_one check (id = 1),
  sent_at timestamptz,
  failures int not null default 0,
  problem jsonb,
  settle_until timestamptz,
  settle_round int not null default 0
);
insert into audit_shipper default values;

-- The collector of logs of a cluster. `generation` counts what is wanted there, `settled` is the last that was brought.
create table log_collector (
  environment uuid primary key references environment (uuid) on delete cascade,
  chosen boolean not null default true,
  generation int not null default 1,
  settled int not null default 0,
  settled_at timestamptz,
  hash text not null default '',
  problem jsonb,
  settle_until timestamptz,
  settle_round int not null default 0
);

-- Teams whose logs are collected, where it is not those of all.
create table log_team (
  team_id int primary key references team (id) on delete cascade
);
