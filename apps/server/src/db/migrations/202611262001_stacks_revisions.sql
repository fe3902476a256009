-- A revision is all that a service was: also its secrets, sealed, and what the images of its other containers were
-- pinned to. Without pins, a registry has not been asked yet.
alter table service_revision add column secrets text;
alter table service_revision add column pins jsonb;
alter table service add column pins jsonb;
alter table service add column previous_pins jsonb;

-- What runs already is not asked for again: its pods would be made anew.
update service set pins = '{"images": {}, "problem": null}';
update service_revision set pins = '{"images": {}, "problem": null}';
update service_revision r set secrets = s.secrets from service s where s.id = r.service_id and s.revision = r.revision;

-- Whether its claims, and the data in them, go with it when it is deleted.
alter table service add column drop_claims boolean not null default false;

alter table service drop constraint service_state_check;
alter table service add constraint service_state_check check (state in
  ('deploying', 'stable', 'restarting', 'stopped', 'upgrading', 'upgraded', 'confirming', 'cancelling', 'rolling-back',
   'failed', 'deleting'));
drop index service_unsettled;
create index service_unsettled on service (id) where state not in ('stable', 'upgraded', 'stopped', 'failed');
