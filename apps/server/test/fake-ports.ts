import { Fault } from '../src/kernel/fault.ts'
import type { Ports } from '../src/adapters/ports.ts'

/** A port that the test did not provide: using it fails with its name. */
const missing = (name: string): never =>
  new Proxy(
    {},
    {
      get: (_target, member) => {
        throw new Error(`the test uses ports.${name}.${String(member)}: give testApp({ ports: { ${name} } })`)
      },
    },
  ) as never

/** A registry that never answers: every deployment asks for the digest of its tag, and then uses the tag. */
const silentRegistry = (): Ports['registry'] =>
  new Proxy(missing('registry'), {
    get: (target: Ports['registry'], member: keyof Ports['registry']) =>
      member === 'digest'
        ? () => Promise.reject(new Fault('unavailable', 'outbound-unreachable', { host: 'registry.example.test' }))
        : target[member],
  })

/** Ports for a test without outside systems. */
export const fakePorts = (): Ports => ({
  outbound: missing('outbound'),
  git: missing('git'),
  forges: missing('forges'),
  repositories: missing('repositories'),
  prometheus: missing('prometheus'),
  jaeger: missing('jaeger'),
  kiali: missing('kiali'),
  registry: silentRegistry(),
  harbor: missing('harbor'),
  charts: missing('charts'),
  helm: missing('helm'),
  kafka: missing('kafka'),
  blobs: missing('blobs'),
  kube: missing('kube'),
  ldap: missing('ldap'),
  oidc: missing('oidc'),
  openstack: missing('openstack'),
  mail: missing('mail'),
  pictures: missing('pictures'),
  sonar: missing('sonar'),
  jira: missing('jira'),
  tapd: missing('tapd'),
})
