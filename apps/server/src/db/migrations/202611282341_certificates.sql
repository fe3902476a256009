-- Certificates that administrators keep, the teams that use them, and the domains of these teams.
create table certificate (
  id int generated always as identity primary key,
  name text not null constraint certificate_name unique,
  -- PEM, the certificate first
  chain text not null,
  -- PEM, sealed
  private_key text not null,
  subject text not null,
  issuer text not null,
  names text[] not null,
  fingerprint text not null,
  valid_from timestamptz not null,
  valid_until timestamptz not null,
  revision int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table certificate_team (
  certificate_id int not null references certificate on delete cascade,
  team_id int not null references team on delete cascade,
  primary key (certificate_id, team_id)
);
create index certificate_team_team on certificate_team (team_id);

-- A domain belongs to one team at most, over the whole installation.
create table domain (
  id int generated always as identity primary key,
  name text not null constraint domain_name unique,
  certificate_id int not null references certificate on delete cascade,
  team_id int,
  created_at timestamptz not null default now(),
  constraint domain_allocated foreign key (certificate_id, team_id)
    references certificate_team on delete set null (team_id)
);
create index domain_certificate on domain (certificate_id);
create index domain_team on domain (team_id);

-- The certificates that hosts of load balancers and ingresses name, in place of a pasted one.
create table service_certificate (
  service_id int not null references service on delete cascade,
  host text not null,
  certificate_id int not null,
  team_id int not null,
  primary key (service_id, host),
  constraint service_certificate_allocated foreign key (certificate_id, team_id) references certificate_team
);
create index service_certificate_certificate on service_certificate (certificate_id, team_id);
create index outward_claim_host on outward_claim (host);
