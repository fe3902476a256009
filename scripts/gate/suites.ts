import type { Suite } from './run.ts'

const script = (name: string): string[] => ['npm', 'run', '--silent', name, '--']
const service = (name: string): string => `services/${name}`
const kube = 'kube/kube'

/** One story file for each area of the product. */
const storiesOfAreas = [
  'agents',
  'alarms',
  'audit-settings',
  'blueprints',
  'catalog',
  'clusters/clusters',
  'clusters/openstack',
  'config-centre',
  'first-minute',
  'helm',
  'images',
  'messages',
  'people',
  'pipelines',
  'services',
  'shell',
  'sign-in',
  'walk/admin',
  'walk/leader',
  'ways',
].map((name) => `e2e/${name}.e2e.ts`)

/**
 * Every suite, which part of it belongs to the gate and which to the full run, and why. The gate holds the tests that a
 * change is most likely to break, in at most 25 minutes on two cores; `full` holds everything.
 */
export const suites: Suite[] = [
  {
    name: 'test',
    command: script('test').concat('--project=!integration', '--project=!product'),
    gate: { why: 'whatever needs only Node and PostgreSQL' },
    full: { why: 'with *.full.test.ts and all cases of what is sampled in the gate', env: { GANTRY_FULL: 'on' } },
  },
  {
    name: 'integration',
    command: script('test:integration'),
    gate: { why: 'agents, the simulated cluster and the product as processes, and walks through all calls' },
    full: { why: 'with *.full.test.ts and the long walks', env: { GANTRY_FULL: 'on' } },
  },
  {
    name: 'oldest-postgres',
    command: ['node', 'scripts/gate/oldest-postgres.ts'],
    lab: [service('postgres')],
    needsLab: true,
    full: {
      why: 'the oldest PostgreSQL that is promised, under what lies on the database; it breaks once a year',
      files: ['apps/server/src/db', 'apps/server/src/kernel', 'domains/pipelines', 'domains/teams'],
    },
  },
  {
    name: 'stories',
    command: script('test:e2e'),
    lab: ['ldap', 'oidc', 'smtp', 'keycloak'].map(service),
    gate: {
      why: 'one file of each area and the walk over all screens, each in one look',
      files: storiesOfAreas,
      // the same engine without the windows of a browser: a page costs a third less of the processor's time
      env: { GANTRY_LOOKS: 'one', GANTRY_CHROMIUM: '/usr/bin/chromium-headless-shell' },
    },
    full: { why: 'all files, each in both looks, in the whole browser' },
  },
  {
    name: 'services',
    command: script('test:services'),
    lab: ['gitea', 'helm', 'jaeger', 'kafka', 'openstack', 'prometheus', 'registry', 's3', 'sonarqube'].map(service),
    needsLab: true,
    gate: { why: 'an adapter is right only where the real server says so', beside: true },
    full: { why: 'with all scenarios in containers', env: { GANTRY_FULL: 'on' } },
  },
  {
    name: 'cluster',
    command: script('test:cluster'),
    lab: [kube],
    needsLab: true,
    gate: {
      why: 'the chain from a push to a service, and what tenants cannot do to each other, on a real cluster',
      files: ['e2e/chain.cluster.test.ts', 'e2e/tenants.cluster.test.ts'],
      beside: true,
    },
    full: { why: 'all of it: conformance, outages, stories, agents as pods' },
  },
]
