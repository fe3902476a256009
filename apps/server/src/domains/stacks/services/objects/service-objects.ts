import type { V1LabelSelector, V1PodDisruptionBudget, V1Secret, V1Service } from '@kubernetes/client-node'
import type { GrayHeader } from '@gantry/contract/stacks/copies/copy'
import { maxInstances } from '@gantry/contract/stacks/scaling/autoscaling'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { Kube } from '../../../../adapters/kube/client.ts'
import { labels, managed } from '../../../../adapters/kube/labels.ts'
import type { Wire } from '../../../../adapters/kube/objects.ts'
import { type PodRow, podRow } from '../../../../adapters/kube/rows/pod-row.ts'
import * as kinds from '../../../../adapters/kube/resources.ts'
import type { Pins } from '../../revisions/pins.ts'
import type { Entrance } from '../../outward/entrance.service.ts'
import type { Adopted } from '../../adoption/adopted.ts'
import type { NamespaceOf } from '../../reconcile/namespace-objects.ts'

/** What the objects of a service depend on besides its specification. */
export interface ServiceOf extends NamespaceOf {
  id: number
  name: string
  /** Pods are replaced when it changes. */
  podRevision: number
  /** The pinned digest of the image; if empty, the tag counts when the pod starts. */
  podDigest: string
  /** The pinned digests of its other containers. */
  pins: Pins | null
  /** Pods are replaced when it changes. */
  restartedAt: string | null
  /** Whether its pods may run on, and prefer, hosts dedicated to the team. Pods are replaced when it changes. */
  podDedicated: boolean
  /** For a copy, the service whose claims it shares. */
  copyOf?: string
  /** The only revision whose pods get requests to its address; for a copy, its own. */
  only?: number
  /** For a service that took over a workload, what is kept of that. */
  adopted?: Adopted | null
  /** The names of the pull secrets of registries that need a password. */
  pullSecrets?: readonly string[]
  /** For services that open ways in, how traffic enters its cluster. */
  entrance?: Entrance
  /** For services that open ways in, those of their targets that have a copy, by name. */
  divided?: ReadonlyMap<string, Divided>
}

/** How the requests to a service are divided while it has a copy. */
export interface Divided {
  /** The only revision whose pods its name refers to; null for all. */
  only: number | null
  /** The part that goes to the copy; null if nothing does. */
  copy: { name: string; revision: number; weight: number; header: GrayHeader | null } | null
}

/** The labels that select its pods. */
export const selectorOf = ({ id }: ServiceOf) => ({ [labels.service]: String(id) })

/** The name that users gave it. */
export const serviceName = ({ name, copyOf }: ServiceOf): string => copyOf ?? name

/** The labels that its workload selects; two workloads of one service never share pods. */
export const workloadSelector = (of: ServiceOf): Wire<V1LabelSelector> =>
  of.copyOf === undefined && of.adopted
    ? of.adopted.selector
    : {
        matchLabels: {
          ...selectorOf(of),
          ...(of.copyOf === undefined ? {} : { [labels.revision]: String(of.podRevision) }),
        },
      }

/** The pod labels of a workload that was taken over; a copy does not use them. */
export const foundBy = ({ copyOf, adopted }: ServiceOf): Record<string, string> =>
  copyOf === undefined ? (adopted?.labels ?? {}) : {}

const addressSelector = (of: ServiceOf) => ({
  ...selectorOf(of),
  ...(of.only === undefined ? {} : { [labels.revision]: String(of.only) }),
})

export const labelsOf = (of: ServiceOf) => ({
  ...managed,
  [labels.name]: serviceName(of),
  [labels.team]: String(of.teamId),
  [labels.stack]: of.stackUuid,
  ...selectorOf(of),
})

export const secretName = (name: string): string => `${name}-env`

/** A service's name has no dot, so this is no other service's. */
export const containersSecretName = (name: string): string => `${name}.containers`

/** Undefined if there is nothing to store. */
export function secretObject(
  of: ServiceOf,
  name: string,
  values: [key: string, value: string][],
): Wire<V1Secret> | undefined {
  if (values.length === 0) return undefined
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: of.namespace, labels: labelsOf(of) },
    type: 'Opaque',
    data: Object.fromEntries(values.map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
  }
}

/** The opened values of secret variables. */
export const environmentSecret = (of: ServiceOf, spec: ServiceSpec): Wire<V1Secret> | undefined =>
  secretObject(
    of,
    secretName(of.name),
    spec.environment.filter(({ secret }) => secret).map(({ name, value }) => [name, value]),
  )

/** The opened values of the secret variables of other containers. */
export const containersSecret = (of: ServiceOf, { containers = [] }: ServiceSpec): Wire<V1Secret> | undefined =>
  secretObject(
    of,
    containersSecretName(of.name),
    containers.flatMap((one) =>
      one.environment
        .filter(({ secret }) => secret)
        .map(({ name, value }): [string, string] => [keyIn(one.name, name), value]),
    ),
  )

/** The key of a variable of another container; a container's name has no dot. */
export const keyIn = (container: string, variable: string): string => `${container}.${variable}`

/** Its pods of the wanted revision that are not being deleted. */
export async function podsOf(kube: Kube, of: ServiceOf): Promise<PodRow[]> {
  const pods = await kube.list(kinds.pods, {
    namespace: of.namespace,
    labels: `${labels.service}=${of.id},${labels.revision}=${of.podRevision}`,
  })
  return pods.items.map(podRow).filter((pod) => pod.deleting === undefined)
}

const portOf = ({ port, protocol }: ServiceSpec['ports'][number]) => ({
  name: `${protocol.toLowerCase()}-${port}`,
  port,
  targetPort: port,
  protocol,
})

/** The ports of its document, and those that others reached before it was taken over, if they lead to one of them. */
function portsOf(ports: ServiceSpec['ports'], known: NonNullable<Adopted['address']>['ports'] = []) {
  const kept = known.filter((one) =>
    ports.some(({ port, protocol }) => port === one.target && protocol === one.protocol),
  )
  const own = ports.filter((one) => !kept.some(({ port, protocol }) => port === one.port && protocol === one.protocol))
  return [
    ...own.map(portOf),
    ...kept.map(({ name, port, target, protocol }) => ({
      ...portOf({ port, protocol }),
      ...(name === undefined ? {} : { name }),
      targetPort: target,
    })),
  ]
}

/**
 * Its Kubernetes service; undefined if it has no port. The pods of a StatefulSet have their own DNS names through a
 * headless one, which exists even without a port.
 */
export function serviceObject(of: ServiceOf, { ports, workload }: ServiceSpec): Wire<V1Service> | undefined {
  const known = of.copyOf === undefined ? of.adopted?.address : undefined
  const headless = known?.headless ?? workload === 'statefulset'
  if (ports.length === 0 && !headless) return undefined
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: of.name, namespace: of.namespace, labels: labelsOf(of) },
    spec: {
      ...(headless ? { clusterIP: 'None' } : {}),
      selector: addressSelector(of),
      ports: portsOf(ports, known?.ports),
    },
  }
}

/** With two or more instances, draining hosts evicts one of them at a time. */
export const disruptionBudget = (of: ServiceOf, spec: ServiceSpec): Wire<V1PodDisruptionBudget> | undefined =>
  maxInstances(spec) < 2
    ? undefined
    : {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: of.name, namespace: of.namespace, labels: labelsOf(of) },
        spec: { maxUnavailable: 1, selector: { matchLabels: selectorOf(of) } },
      }

export const pullSecretName = (registryId: number): string => `gantry-registry-${registryId}`

/** A registry password in Docker's own format, for the kubelet. */
export const pullSecret = (
  of: NamespaceOf,
  registry: { id: number; host: string; username: string; password: string },
): Wire<V1Secret> => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: pullSecretName(registry.id),
    namespace: of.namespace,
    labels: {
      ...managed,
      [labels.team]: String(of.teamId),
      [labels.stack]: of.stackUuid,
    },
  },
  type: 'kubernetes.io/dockerconfigjson',
  data: {
    '.dockerconfigjson': Buffer.from(
      JSON.stringify({
        auths: {
          [registry.host]: {
            username: registry.username,
            password: registry.password,
            auth: Buffer.from(`${registry.username}:${registry.password}`).toString('base64'),
          },
        },
      }),
    ).toString('base64'),
  },
})
