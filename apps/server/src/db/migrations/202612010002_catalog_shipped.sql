-- The preset services that every installation begins with. Administrators change and delete them like their own.
insert into catalog (name, shipped, updated_by) values
  ('PostgreSQL', 'postgresql', 'gantry'),
  ('MariaDB', 'mariadb', 'gantry'),
  ('Redis', 'redis', 'gantry'),
  ('NATS', 'nats', 'gantry');

insert into catalog_tag (name) values ('database'), ('cache'), ('queue');

insert into catalog_tagged (catalog_id, tag_id)
select catalog.id, catalog_tag.id
from (values ('postgresql', 'database'), ('mariadb', 'database'), ('redis', 'cache'), ('nats', 'queue'))
  as shipped (catalog, tag)
join catalog on catalog.shipped = shipped.catalog
join catalog_tag on catalog_tag.name = shipped.tag;

insert into catalog_template (catalog_id, version, template, tosca_version, service_num, published, updated_by)
select catalog.id, shipped.version, shipped.template, 'gantry_1_0_0', 1, true, 'gantry'
from (values
('postgresql', '17', $blueprint$# One PostgreSQL with one database. Services of the same stack reach it as postgresql:5432.
tosca_definitions_version: gantry_1_0_0
topology_template:
  inputs:
    DATABASE: { type: string, default: app }
    OWNER: { type: string, default: app }
    PASSWORD: { type: secret }
    SIZE: { type: string, default: 8Gi }
    CPU: { type: string, default: '1' }
    MEMORY: { type: string, default: 1Gi }
  node_templates:
    postgresql:
      type: gantry.nodes.Service
      properties:
        workload: statefulset
        image: docker.io/library/postgres:17
        ports:
          - { port: 5432 }
        environment:
          - { name: POSTGRES_DB, value: { get_input: DATABASE } }
          - { name: POSTGRES_USER, value: { get_input: OWNER } }
          - { name: POSTGRES_PASSWORD, value: { get_input: PASSWORD }, secret: true }
          # below the volume: a new disk has a folder of its own
          - { name: PGDATA, value: /var/lib/postgresql/data/pgdata }
        resources: { cpu: { get_input: CPU }, memory: { get_input: MEMORY } }
        readiness: { type: tcp, port: 5432 }
        security: { user: 999, group: 999, volumeGroup: 999, nonRoot: true }
        terminationSeconds: 60
      requirements:
        - storage: { node: data, properties: { path: /var/lib/postgresql/data } }
    data:
      type: gantry.nodes.Volume
      properties: { type: claim, size: { get_input: SIZE } }
$blueprint$),
('mariadb', '11', $blueprint$# One MariaDB with one database. Services of the same stack reach it as mariadb:3306.
tosca_definitions_version: gantry_1_0_0
topology_template:
  inputs:
    DATABASE: { type: string, default: app }
    OWNER: { type: string, default: app }
    PASSWORD: { type: secret }
    SIZE: { type: string, default: 8Gi }
    CPU: { type: string, default: '1' }
    MEMORY: { type: string, default: 1Gi }
  node_templates:
    mariadb:
      type: gantry.nodes.Service
      properties:
        workload: statefulset
        image: docker.io/library/mariadb:11
        ports:
          - { port: 3306 }
        environment:
          - { name: MARIADB_DATABASE, value: { get_input: DATABASE } }
          - { name: MARIADB_USER, value: { get_input: OWNER } }
          - { name: MARIADB_PASSWORD, value: { get_input: PASSWORD }, secret: true }
          # the root account is for nobody
          - { name: MARIADB_RANDOM_ROOT_PASSWORD, value: '1' }
        resources: { cpu: { get_input: CPU }, memory: { get_input: MEMORY } }
        readiness: { type: tcp, port: 3306 }
        security: { user: 999, group: 999, volumeGroup: 999, nonRoot: true }
        terminationSeconds: 60
      requirements:
        - storage: { node: data, properties: { path: /var/lib/mysql } }
    data:
      type: gantry.nodes.Volume
      properties: { type: claim, size: { get_input: SIZE } }
$blueprint$),
('redis', '8', $blueprint$# One Redis that keeps its data. Services of the same stack reach it as redis:6379, with the password.
tosca_definitions_version: gantry_1_0_0
topology_template:
  inputs:
    PASSWORD: { type: secret }
    SIZE: { type: string, default: 2Gi }
    CPU: { type: string, default: '0.5' }
    MEMORY: { type: string, default: 512Mi }
  node_templates:
    redis:
      type: gantry.nodes.Service
      properties:
        workload: statefulset
        image: docker.io/library/redis:8
        # the words stand in the environment, where Kubernetes fills them in
        arguments: [redis-server, --appendonly, 'yes', --requirepass, $(REDIS_PASSWORD)]
        ports:
          - { port: 6379 }
        environment:
          - { name: REDIS_PASSWORD, value: { get_input: PASSWORD }, secret: true }
        resources: { cpu: { get_input: CPU }, memory: { get_input: MEMORY } }
        readiness: { type: tcp, port: 6379 }
        security: { user: 999, group: 999, volumeGroup: 999, nonRoot: true }
      requirements:
        - storage: { node: data, properties: { path: /data } }
    data:
      type: gantry.nodes.Volume
      properties: { type: claim, size: { get_input: SIZE } }
$blueprint$),
('nats', '2', $blueprint$# One NATS server with streams that it keeps. Services of the same stack reach it as nats:4222.
tosca_definitions_version: gantry_1_0_0
topology_template:
  inputs:
    OWNER: { type: string, default: app }
    PASSWORD: { type: secret }
    SIZE: { type: string, default: 2Gi }
    CPU: { type: string, default: '0.5' }
    MEMORY: { type: string, default: 256Mi }
  node_templates:
    nats:
      type: gantry.nodes.Service
      properties:
        workload: statefulset
        image: docker.io/library/nats:2
        # the words stand in the environment, where Kubernetes fills them in
        arguments: [--jetstream, --store_dir, /data, --user, $(NATS_USER), --pass, $(NATS_PASSWORD)]
        ports:
          - { port: 4222 }
        environment:
          - { name: NATS_USER, value: { get_input: OWNER } }
          - { name: NATS_PASSWORD, value: { get_input: PASSWORD }, secret: true }
        resources: { cpu: { get_input: CPU }, memory: { get_input: MEMORY } }
        readiness: { type: tcp, port: 4222 }
        security: { user: 1000, group: 1000, volumeGroup: 1000, nonRoot: true }
      requirements:
        - storage: { node: data, properties: { path: /data } }
    data:
      type: gantry.nodes.Volume
      properties: { type: claim, size: { get_input: SIZE } }
$blueprint$)
) as shipped (catalog, version, template)
join catalog on catalog.shipped = shipped.catalog;
