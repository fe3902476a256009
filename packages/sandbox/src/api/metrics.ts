import { createHash } from 'node:crypto'
import type { Cluster } from '../cluster.ts'
import { isDown, isSimulated } from '../node/hollow.ts'
import { parseLabelSelector } from '../objects/selectors.ts'
import { notFound } from '../objects/status.ts'
import type { Node } from '../objects/nodes.ts'
import type { Container, Pod } from '../objects/types.ts'
import { parseQuantity } from '../objects/quantity.ts'
import { seconds } from '../store/store.ts'

const mebibyte = 1024 * 1024

/** A number from 0 to 1 for each seed, which varies slowly around its mean. */
function swing(seed: string, now: number): number {
  const hash = createHash('sha256').update(seed).digest()
  const [mean, phase, speed] = [(hash[0] ?? 0) / 255, (hash[1] ?? 0) / 40, 1 + (hash[2] ?? 0) / 64]
  const wave = Math.sin((now / 60_000) * speed + phase) * 0.15 + Math.sin((now / 7_000) * speed) * 0.03
  return Math.min(Math.max(0.1 + mean * 0.5 + wave, 0.01), 1)
}

/** The usage of a container in millicores and bytes: a share of its limits, or of a small program's typical usage. */
function usageOf(pod: Pod, { name, resources }: Container, now: number): { cpu: number; memory: number } {
  const milli = (resource: string): number | undefined => {
    const text = resources?.limits?.[resource] ?? resources?.requests?.[resource]
    return text === undefined ? undefined : Number(parseQuantity(text)?.milli ?? 0n)
  }
  const cpu = (milli('cpu') ?? 200) * 0.6
  const memory = (milli('memory') ?? 128 * mebibyte * 1000) / 1000
  const seed = `${pod.metadata.uid}/${name}`
  return {
    cpu: Math.max(Math.round(cpu * swing(`${seed}/cpu`, now)), 1),
    memory: Math.round(memory * (0.2 + 0.5 * swing(`${seed}/memory`, now / 10))),
  }
}

const quantities = ({ cpu, memory }: { cpu: number; memory: number }): Record<string, string> => ({
  cpu: `${Math.round(cpu * 1_000_000)}n`,
  memory: `${Math.round(memory / 1024)}Ki`,
})

const running = (pod: Pod): boolean => pod.status.phase === 'Running'
/** A machine that does not report has no metrics. */
const measured = (node: Node): boolean => isSimulated(node) && !isDown(node)

function podMetrics(pod: Pod, now: number): unknown {
  const { name, namespace, labels } = pod.metadata
  return {
    kind: 'PodMetrics',
    apiVersion: 'metrics.k8s.io/v1beta1',
    metadata: { name, namespace, creationTimestamp: seconds(now), ...(labels ? { labels } : {}) },
    timestamp: seconds(now),
    window: '15s',
    containers: pod.spec.containers.map((container) => ({
      name: container.name,
      usage: quantities(usageOf(pod, container, now)),
    })),
  }
}

function nodeMetrics({ store }: Cluster, node: Node, now: number): unknown {
  const { name, labels } = node.metadata
  // The usage of the machine itself.
  const sum = {
    cpu: 120 + 480 * swing(`${name}/cpu`, now),
    memory: (1100 + 900 * swing(`${name}/memory`, now / 10)) * mebibyte,
  }
  for (const pod of store.list('pods')) {
    if (pod.spec.nodeName !== name || !running(pod)) continue
    for (const container of pod.spec.containers) {
      const one = usageOf(pod, container, now)
      sum.cpu += one.cpu
      sum.memory += one.memory
    }
  }
  return {
    kind: 'NodeMetrics',
    apiVersion: 'metrics.k8s.io/v1beta1',
    metadata: { name, creationTimestamp: seconds(now), ...(labels ? { labels } : {}) },
    timestamp: seconds(now),
    window: '15s',
    usage: quantities(sum),
  }
}

const path = /^\/apis\/metrics\.k8s\.io\/v1beta1(?:\/namespaces\/([^/]+))?\/(nodes|pods)(?:\/([^/]+))?$/

/** A metrics path as a resource for access rules; undefined for other paths. */
export function metricsTarget(pathname: string): { namespace?: string; resource: string; name?: string } | undefined {
  const found = path.exec(pathname)
  if (!found) return undefined
  const [, namespace, resource = '', name] = found
  if ((resource === 'nodes') === (namespace !== undefined) && resource === 'nodes') return undefined
  return { resource, ...(namespace === undefined ? {} : { namespace }), ...(name === undefined ? {} : { name }) }
}

/** metrics.k8s.io: invented, varying figures. */
export function metrics(
  cluster: Cluster,
  target: { namespace?: string; resource: string; name?: string },
  query: URLSearchParams,
): unknown {
  const { store } = cluster
  const { namespace, resource, name } = target
  const now = cluster.now()
  const group = 'metrics.k8s.io'
  if (name !== undefined) {
    if (resource === 'nodes') {
      const node = store.get('nodes', undefined, name)
      if (!node || !measured(node)) throw notFound({ group, plural: 'nodes' }, name)
      return nodeMetrics(cluster, node, now)
    }
    const pod = store.get('pods', namespace, name)
    if (!pod || !running(pod)) throw notFound({ group, plural: 'podmetrics' }, `${namespace}/${name}`)
    return podMetrics(pod, now)
  }
  const selected = parseLabelSelector(query.get('labelSelector') ?? '')
  const items =
    resource === 'nodes'
      ? store
          .list('nodes')
          .filter((node) => measured(node) && selected(node.metadata.labels))
          .map((node) => nodeMetrics(cluster, node, now))
      : store
          .list('pods', namespace)
          .filter((pod) => running(pod) && selected(pod.metadata.labels))
          .map((pod) => podMetrics(pod, now))
  const kind = resource === 'nodes' ? 'NodeMetricsList' : 'PodMetricsList'
  return { kind, apiVersion: 'metrics.k8s.io/v1beta1', metadata: {}, items }
}
