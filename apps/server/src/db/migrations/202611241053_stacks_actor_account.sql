-- Whom to tell how a change of a service went; null: no user asked for it, or the user is deleted.
alter table service add column actor_id int references account on delete set null;
