-- A build is building only while it has its turn: from the first of its jobs that an agent takes, to its end. A retried one that
-- waits for its turn is queued, whatever of it succeeded before.
update build set state = 'queued' where state = 'building' and started_at is null;
-- build_exclusive_started says as much: what is building has started.
drop index build_exclusive;
