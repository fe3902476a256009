import { createHash } from 'node:crypto'
import type { Cluster } from '../cluster.ts'
import type { Node } from '../objects/nodes.ts'

/** Services of a simulated node with a log, and the seconds between two of their own lines. */
const services = { kubelet: 10, containerd: 20, 'kube-proxy': 30 } as const
type Service = keyof typeof services

/** The age of the oldest lines, in milliseconds. */
const keptMs = 24 * 3600_000

const sayings: Record<Service, string[]> = {
  kubelet: [
    'kubelet_node_status.go:548] "Node status is unchanged (simulated)"',
    'kubelet.go:2517] "SyncLoop (housekeeping, simulated)"',
    'eviction_manager.go:405] "Eviction manager: nothing is short (simulated)"',
    'kubelet_volumes.go:163] "Cleaned up orphaned pod volumes dir (simulated)"',
  ],
  containerd: [
    'level=info msg="garbage collection finished (simulated)"',
    'level=info msg="content store is well (simulated)"',
  ],
  'kube-proxy': [
    'proxier.go:805] "Syncing iptables rules (simulated)"',
    'proxier.go:1496] "Reloading service iptables data (simulated)"',
  ],
}

export interface NodeLogQuery {
  services: string[]
  /** Milliseconds since the epoch. */
  since?: number
  until?: number
  tail?: number
  pattern?: RegExp
}

interface Line {
  at: number
  service: Service
  text: string
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Nov 21 16:50:37.123456 sandbox-1 kubelet[812]: …`: journalctl's short-precise form, in UTC. */
function formatLine(node: string, { at, service, text }: Line): string {
  const iso = new Date(at).toISOString()
  const [year = '', month = '', day = ''] = iso.slice(0, 10).split('-')
  const clock = `${iso.slice(11, 23)}${String(at % 1000).padStart(3, '0')}`
  const process = 700 + (createHash('sha256').update(`${node}/${service}`).digest()[0] ?? 0)
  const head = `${months[Number(month) - 1] ?? year} ${day} ${clock} ${node} ${service}[${process}]:`
  const own =
    service === 'containerd'
      ? `time="${iso}" ${text}`
      : `I${month}${day} ${clock} ${String(process).padStart(7)} ${text}`
  return `${head} ${own}`
}

/** A service's own lines, at times that are derived from its node's name. */
function* routine(node: Node, service: Service, from: number, to: number): Generator<Line> {
  const every = services[service] * 1000
  for (let tick = Math.floor(from / every); tick * every <= to; tick++) {
    const hash = createHash('sha256').update(`${node.metadata.name}/${service}/${tick}`).digest()
    const at = tick * every + (hash.readUInt16BE(0) % every)
    const texts = sayings[service]
    if (at >= from && at <= to) yield { at, service, text: texts[(hash[2] ?? 0) % texts.length] ?? '' }
  }
}

/** Lines about the events of the node's pods, as long as the events are stored. */
function* happenings({ store }: Cluster, node: Node): Generator<Line> {
  for (const { source, involvedObject: about, reason, message, lastTimestamp } of store.list('events')) {
    if (source?.component !== 'kubelet' || source.host !== node.metadata.name) continue
    const place = about.namespace === undefined ? about.name : `${about.namespace}/${about.name}`
    const text = `event.go:389] "Event occurred (simulated)" object="${place}" kind="${about.kind}" reason="${reason}" message=${JSON.stringify(message)}`
    yield { at: Date.parse(lastTimestamp ?? ''), service: 'kubelet', text }
  }
}

/** The log of a node's services as its kubelet answers it: lines of text, oldest first. */
export function nodeLog(cluster: Cluster, node: Node, query: NodeLogQuery): string {
  const now = cluster.now()
  const from = Math.max(query.since ?? 0, Date.parse(node.metadata.creationTimestamp), now - keptMs)
  const to = Math.min(query.until ?? now, now)
  const all = query.services.includes('syslog')
  const lines: Line[] = []
  for (const service of Object.keys(services) as Service[]) {
    if (!all && !query.services.includes(service)) continue
    lines.push(...routine(node, service, from, to))
    if (service === 'kubelet') lines.push(...[...happenings(cluster, node)].filter(({ at }) => at >= from && at <= to))
  }
  const texts = lines
    .sort((a, b) => a.at - b.at)
    .map((line) => formatLine(node.metadata.name, line))
    .filter((line) => query.pattern?.test(line) ?? true)
  const chosen = query.tail === undefined ? texts : query.tail === 0 ? [] : texts.slice(-query.tail)
  return chosen.length === 0 ? '-- No entries --\n' : `${chosen.join('\n')}\n`
}
