-- Opened with a password that the policy calls too old: good for changing it, and for nothing else.
alter table session add column password_expired boolean not null default false;
