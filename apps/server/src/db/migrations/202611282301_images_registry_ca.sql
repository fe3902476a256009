-- PEM of the authority that the certificate of a registry is signed by; empty where the usual ones are enough.
alter table registry add column ca text not null default '';
