-- PEM of the authority that the certificate of a Harbor is signed by; empty where the usual ones are enough.
alter table harbor add column ca text not null default '';
