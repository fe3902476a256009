import type { Ports } from '../src/adapters/ports.ts'

/** A port that nobody put in: using it fails the test by its name. */
const missing = (name: string): never =>
  new Proxy(
    {},
    {
      get: (_target, member) => {
        throw new Error(`the test uses ports.${name}.${String(member)}: give testApp({ ports: { ${name} } })`)
      },
    },
  ) as never

/** The outside world of a test that does not touch it. */
export const fakePorts = (): Ports => ({
  outbound: missing('outbound'),
  git: missing('git'),
  forges: missing('forges'),
  repositories: missing('repositories'),
  prometheus: missing('prometheus'),
  registry: missing('registry'),
  blobs: missing('blobs'),
  kube: missing('kube'),
  ldap: missing('ldap'),
  oidc: missing('oidc'),
  openstack: missing('openstack'),
  mail: missing('mail'),
  pictures: missing('pictures'),
})
