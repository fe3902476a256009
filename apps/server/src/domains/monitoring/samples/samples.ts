import type { Expression } from '@gantry/contract/monitoring/metrics'
import { quantity } from '../../../adapters/kube/rows/quantity.ts'
import { podPattern } from '../metrics/promql.ts'

/** A figure with what it measures; fields that do not apply are empty. */
export interface Sample {
  expression: Expression
  host: string
  namespace: string
  pod: string
  container: string
  value: number
  /** The maximum of the figure. */
  most: number | null
}

/** Maximum of series per cluster; the rest is left out, and the notice says so. */
export const seriesCap = 2000

interface NodeUsage {
  name: string
  usage: Record<string, string> | undefined
  /** What pods may use, in cores and bytes. */
  capacity: { cpu: number; memory: number } | undefined
}

export interface PodUsage {
  namespace: string
  pod: string
  containers: readonly { name: string; usage?: Record<string, string> }[]
}

/** A container of a service that is measured before others. */
export interface Prioritized {
  namespace: string
  service: string
  container: string
}

export interface Measured {
  nodes: readonly NodeUsage[]
  /** Only of the namespaces of stacks. */
  pods: readonly PodUsage[]
  /** Number of pods in the cluster, if it reported one. */
  podNum: number | undefined
}

const nothing = { host: '', namespace: '', pod: '', container: '', most: null }

type Usage = { cpu: number | undefined; memory: number | undefined }

/** In cores and bytes; undefined if a figure is invalid. */
const usageOf = (usage: Record<string, string> | undefined): Usage => ({
  cpu: quantity(usage?.['cpu']),
  memory: quantity(usage?.['memory']),
})

const definedOnly = (values: readonly (number | undefined)[]): number[] => values.filter((value) => value !== undefined)
const sum = (values: readonly (number | undefined)[]): number =>
  definedOnly(values).reduce((total, one) => total + one, 0)

const both = (of: 'cluster' | 'host' | 'namespace' | 'container', usage: Usage, what: Partial<Sample>): Sample[] =>
  (['cpu', 'memory'] as const).flatMap((resource) => {
    const value = usage[resource]
    const most = what.most === undefined ? null : what.most
    return value === undefined ? [] : [{ ...nothing, ...what, most, expression: `${of}_${resource}_usage`, value }]
  })

/** Adds the maximum of each resource. */
const withMost = (samples: Sample[], capacity: { cpu: number; memory: number } | undefined): Sample[] =>
  samples.map((sample) => ({
    ...sample,
    most: capacity ? (sample.expression.endsWith('cpu_usage') ? capacity.cpu : capacity.memory) : null,
  }))

function ofNodes({ nodes, podNum }: Measured): Sample[] {
  if (nodes.length === 0) return podNum === undefined ? [] : [podsOf(podNum)]
  const hosts = nodes.map(({ name, usage, capacity }) => ({ name, capacity, usage: usageOf(usage) }))
  const whole = hosts.every(({ capacity }) => capacity !== undefined)
  const all = {
    cpu: sum(hosts.map(({ usage }) => usage.cpu)),
    memory: sum(hosts.map(({ usage }) => usage.memory)),
  }
  const capacity = {
    cpu: sum(hosts.map((host) => host.capacity?.cpu)),
    memory: sum(hosts.map((host) => host.capacity?.memory)),
  }
  return [
    ...withMost(both('cluster', all, {}), whole ? capacity : undefined),
    ...(podNum === undefined ? [] : [podsOf(podNum)]),
    ...hosts.flatMap(({ name, usage, capacity }) => withMost(both('host', usage, { host: name }), capacity)),
  ]
}

const podsOf = (value: number): Sample => ({ ...nothing, expression: 'cluster_pods', value })

function ofNamespaces(pods: readonly PodUsage[]): Sample[] {
  return [...Map.groupBy(pods, ({ namespace }) => namespace)].flatMap(([namespace, own]) => {
    const usages = own.flatMap(({ containers }) => containers.map(({ usage }) => usageOf(usage)))
    const all = { cpu: sum(usages.map(({ cpu }) => cpu)), memory: sum(usages.map(({ memory }) => memory)) }
    return both('namespace', all, { namespace })
  })
}

const isPrioritized = (priorities: readonly Prioritized[]) => {
  const patterns = priorities.map((priority) => ({
    ...priority,
    pods: new RegExp(`^${podPattern(priority.service)}$`),
  }))
  return ({ namespace, pod, container }: Sample): boolean =>
    patterns.some((one) => one.namespace === namespace && one.container === container && one.pods.test(pod))
}

/**
 * Selects which figures of a cluster to store: of the cluster, its hosts, namespaces, then containers, prioritized ones
 * first, up to the cap. The order is stable, so that a measured container stays measured.
 */
export function chooseSamples(
  measured: Measured,
  priorities: readonly Prioritized[],
  cap = seriesCap,
): { kept: Sample[]; leftOut: number } {
  const containers = measured.pods.flatMap(({ namespace, pod, containers }) =>
    containers.flatMap(({ name, usage }) => both('container', usageOf(usage), { namespace, pod, container: name })),
  )
  const isFirst = isPrioritized(priorities)
  const key = ({ namespace, pod, container }: Sample): string => `${namespace}/${pod}/${container}`
  containers.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
  const [first, rest] = [containers.filter(isFirst), containers.filter((one) => !isFirst(one))]
  const all = [...ofNodes(measured), ...ofNamespaces(measured.pods), ...first, ...rest]
  return { kept: all.slice(0, cap), leftOut: Math.max(all.length - cap, 0) }
}
