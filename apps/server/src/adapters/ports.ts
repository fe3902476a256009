import type { Blobs } from './blobs/blobs.ts'
import type { Forges } from './forges/forges.ts'
import type { Git } from './git/git.ts'
import type { OwnRepositories } from './git/own.ts'
import type { KubePort } from './kube/transport/pool.ts'
import type { Ldap } from './ldap/ldap.ts'
import type { Oidc } from './oidc/oidc.ts'
import type { OpenStackPort } from './openstack/openstack.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { Pictures } from './pictures/pictures.ts'
import type { Mail } from './smtp/smtp.ts'
import type { Prometheus } from './prometheus/prometheus.ts'
import type { Registry } from './registry/registry.ts'

/**
 * The outside systems as services see them: one port per system, its type in the file of its adapter. `buildPorts` in
 * ../ports.ts creates the real ones; tests inject their own.
 */
export interface Ports {
  outbound: Outbound
  git: Git
  forges: Forges
  repositories: OwnRepositories
  prometheus: Prometheus
  registry: Registry
  blobs: Blobs
  kube: KubePort
  ldap: Ldap
  oidc: Oidc
  openstack: OpenStackPort
  mail: Mail
  pictures: Pictures
}
