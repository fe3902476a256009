-- Repositories over SSH: the private key is sealed, the host key is pinned in the form of known_hosts.
alter table pipeline add column repository_private_key text;
alter table pipeline add column repository_known_hosts text not null default '';
