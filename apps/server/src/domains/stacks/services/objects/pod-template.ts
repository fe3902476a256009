import type { V1PodSecurityContext, V1PodTemplateSpec } from '@kubernetes/client-node'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { drainSeconds, usualTermination } from '@gantry/contract/stacks/usual'
import { annotations, labels } from '../../../../adapters/kube/labels.ts'
import type { Wire } from '../../../../adapters/kube/objects.ts'
import { extraContainer, mainContainer } from './containers.ts'
import { placementOf } from './placement.ts'
import { foundBy, labelsOf, type ServiceOf } from './service-objects.ts'
import { podVolumes } from './storage.ts'

const rowsToRecord = (rows: readonly { key: string; value: string }[] = []): Record<string, string> =>
  Object.fromEntries(rows.map(({ key, value }) => [key, value]))

/** Annotations for a Prometheus that finds its targets by annotations. */
const scraped = ({ metrics }: ServiceSpec): Record<string, string> =>
  metrics === undefined
    ? {}
    : {
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': String(metrics.port),
        'prometheus.io/path': metrics.path,
      }

/** Kubernetes refuses Linux-only settings for Windows pods. */
const securityOf = ({ security = {}, placement }: ServiceSpec): Wire<V1PodSecurityContext> =>
  placement?.os === 'windows'
    ? security.nonRoot === undefined
      ? {}
      : { runAsNonRoot: security.nonRoot }
    : linuxSecurityOf(security)

const linuxSecurityOf = (security: NonNullable<ServiceSpec['security']>): Wire<V1PodSecurityContext> => ({
  seccompProfile: { type: 'RuntimeDefault' },
  ...(security.user === undefined ? {} : { runAsUser: security.user }),
  ...(security.group === undefined ? {} : { runAsGroup: security.group }),
  ...(security.volumeGroup === undefined ? {} : { fsGroup: security.volumeGroup }),
  ...(security.nonRoot === undefined ? {} : { runAsNonRoot: security.nonRoot }),
})

/** A pod of the service, for any workload. */
export const podTemplate = (of: ServiceOf, spec: ServiceSpec): Wire<V1PodTemplateSpec> => {
  const notes = {
    ...rowsToRecord(spec.annotations),
    ...scraped(spec),
    ...(of.restartedAt === null ? {} : { [annotations.restartedAt]: of.restartedAt }),
  }
  const volumes = podVolumes(of, spec)
  const { containers = [], dns } = spec
  const pulls = of.pullSecrets ?? []
  return {
    metadata: {
      labels: {
        ...rowsToRecord(spec.labels),
        ...foundBy(of),
        ...labelsOf(of),
        [labels.revision]: String(of.podRevision),
      },
      ...(Object.keys(notes).length > 0 ? { annotations: notes } : {}),
    },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: (spec.terminationSeconds ?? usualTermination) + drainSeconds,
      securityContext: securityOf(spec),
      ...placementOf(of, spec),
      ...(dns && dns.servers.length + dns.searches.length > 0
        ? { dnsConfig: { nameservers: dns.servers, searches: dns.searches } }
        : {}),
      ...(pulls.length > 0 ? { imagePullSecrets: pulls.map((name) => ({ name })) } : {}),
      ...(containers.length > 0 ? { initContainers: containers.map((one) => extraContainer(of, spec, one)) } : {}),
      containers: [mainContainer(of, spec)],
      ...(volumes.length > 0 ? { volumes } : {}),
    },
  }
}
