-- Services that run no pods: addresses outside of a cluster, load balancers and ingresses.
alter table service drop constraint service_type_check;
alter table service add constraint service_type_check check (type in ('business', 'external', 'lb', 'ingress'));

-- Where an outward service is reached from outside, as its cluster last said.
create table service_outward (
  service_id int primary key references service on delete cascade,
  addresses text[] not null default '{}'
);

-- A port of a cluster's ways in carries one family of protocols, whoever opens it.
create table outward_port (
  environment uuid not null references environment on delete cascade,
  port int not null check (port between 1 and 65535),
  family text not null check (family in ('http', 'https', 'tcp', 'udp')),
  primary key (environment, port),
  constraint outward_port_family unique (environment, port, family)
);

-- What is taken of a cluster's ways in, over all teams: a port, and of HTTP a host with a path.
create table outward_claim (
  service_id int not null references service on delete cascade,
  environment uuid not null,
  port int not null,
  family text not null,
  host text not null default '',
  path text not null default '',
  constraint outward_claim_place primary key (environment, port, host, path),
  foreign key (environment, port, family) references outward_port (environment, port, family) on delete cascade
);
create index outward_claim_service on outward_claim (service_id);
