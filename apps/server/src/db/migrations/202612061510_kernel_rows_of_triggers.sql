-- What triggers write no replica notifies the others of: the database does.
create function notify_of_event() returns trigger language plpgsql as $$
begin
  perform pg_notify('gantry_events', '');
  return null;
end $$;
create trigger outbox_of_triggers after insert on outbox
  for each row when (new.topic in ('access', 'cluster-agent')) execute function notify_of_event();
