-- Whose build it is, beside the name that its row keeps for good: what runs for somebody ends when they are deleted.
alter table build add column user_id int references account on delete set null;
create index build_user on build (user_id) where user_id is not null;
