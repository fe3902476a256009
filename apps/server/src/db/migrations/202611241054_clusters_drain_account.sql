-- Whom to tell how a drain went; null: the user is deleted.
alter table host_drain add column started_by_id int references account on delete set null;
