import type { Blobs } from './blobs/blobs.ts'
import type { Forges } from './forges/forges.ts'
import type { Git } from './git/git.ts'
import type { Harbor } from './harbor/harbor.ts'
import type { Charts } from './helm/charts.ts'
import type { Helm } from './helm/helm.ts'
import type { OwnRepositories } from './git/own.ts'
import type { Jaeger } from './jaeger/jaeger.ts'
import type { Kiali } from './kiali/kiali.ts'
import type { KubePort } from './kube/transport/pool.ts'
import type { Jira } from './jira/jira.ts'
import type { Tapd } from './tapd/tapd.ts'
import type { Ldap } from './ldap/ldap.ts'
import type { Oidc } from './oidc/oidc.ts'
import type { OpenStackPort } from './openstack/openstack.ts'
import type { Kafka } from './kafka/kafka.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { Pictures } from './pictures/pictures.ts'
import type { Mail } from './smtp/smtp.ts'
import type { Prometheus } from './prometheus/prometheus.ts'
import type { Registry } from './registry/registry.ts'
import type { Sonar } from './sonarqube/sonarqube.ts'

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
  jaeger: Jaeger
  kiali: Kiali
  registry: Registry
  harbor: Harbor
  charts: Charts
  helm: Helm
  blobs: Blobs
  kube: KubePort
  kafka: Kafka
  ldap: Ldap
  oidc: Oidc
  openstack: OpenStackPort
  mail: Mail
  pictures: Pictures
  sonar: Sonar
  jira: Jira
  tapd: Tapd
}
