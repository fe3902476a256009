import type { V1Pod } from '@kubernetes/client-node'
import { isKube } from '../../../adapters/kube/errors.ts'
import type { Kube } from '../../../adapters/kube/client.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Wire } from '../../../adapters/kube/objects.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import type { Reason } from '../../../kernel/phrase.ts'
import { by } from '../../../kernel/in-order.ts'
import { stampOf } from '../logs/merge.ts'
import { type Group, podsOfController } from '../outward/entrance.service.ts'
import { type Access, parseAccess } from './parse.ts'

interface Logged {
  /** When the line was written, RFC 3339, and as text that compares. */
  at: string
  stamp: string
  access: Access
}

/** What a controller logged of late, oldest first; of all teams. */
export interface ControllerLog {
  lines: Logged[]
  /** Why no requests can be told from it. */
  why: Reason | null
  /** No older line was read. */
  since: string
}

/** How far back a log is read; how many lines, of all pods together; of how many pods; how long it may take. */
const windowMs = 60 * 60_000
const mostLines = 20_000
const mostPods = 20
const longestMs = 10_000

const none = (key: Reason['key'], vars: Reason['vars'] = {}): ControllerLog => ({
  lines: [],
  why: { key, vars },
  since: new Date().toISOString(),
})

/** The controllers whose access logs are known. */
const dialectOf = (controller: string): 'traefik' | 'nginx' | undefined =>
  controller.startsWith('traefik.io/') ? 'traefik' : controller.startsWith('k8s.io/ingress-nginx') ? 'nginx' : undefined

const reading = new WeakMap<Cluster, Map<string, Promise<ControllerLog>>>()

/**
 * The log of a group's controller, of the last hour at most, or since a time (RFC 3339) in it. Those who ask the same at
 * the same time share one reading.
 */
export function logOfController(cluster: Cluster, { controller, way }: Group, since = ''): Promise<ControllerLog> {
  const mine = reading.get(cluster) ?? new Map<string, Promise<ControllerLog>>()
  reading.set(cluster, mine)
  const key = `${controller} ${since}`
  const running = mine.get(key)
  if (running) return running
  const started = readLog(cluster.kube, controller, way, since).finally(() => mine.delete(key))
  mine.set(key, started)
  return started
}

async function readLog(kube: Kube, controller: string, way: Group['way'], since: string): Promise<ControllerLog> {
  const dialect = dialectOf(controller)
  if (way === 'none') return none('access-log-no-group')
  if (!dialect) return none('access-log-unknown', { controller })
  const { pods: all } = await podsOfController(kube, controller)
  const pods = all.filter(({ status }) => status?.phase === 'Running').slice(0, mostPods)
  if (pods.length === 0) return none('access-log-no-pods', { controller })
  const window = Date.now() - windowMs
  const from = new Date(since === '' ? window : Math.max(window, Date.parse(since))).toISOString()
  const signal = AbortSignal.timeout(longestMs)
  const tail = Math.floor(mostLines / pods.length)
  const read = await Promise.all(pods.map((pod) => readPod(kube, pod, { from, tail, signal })))
  const logs = read.flatMap((one) => ('unread' in one ? [] : one))
  if (logs.length === 0) {
    const [error] = read.flatMap((one) => ('unread' in one ? [one.unread] : []))
    if (isKube(error, 'forbidden')) return none('access-log-forbidden', { controller })
    if (!isKube(error)) return none('access-log-slow', { controller })
    throw kubeFault(error)
  }
  const lines = logs.flatMap((one) => one.lines).sort(by(({ stamp }) => stamp))
  const kind = logs.some(({ nameless }) => nameless) ? 'nameless' : 'none'
  return {
    lines,
    why: lines.length > 0 ? null : { key: `access-log-${kind}-${dialect}`, vars: {} },
    since: logs.map(({ since }) => since).reduce((a, b) => (stampOf(a) > stampOf(b) ? a : b)),
  }
}

type PodLog = Omit<ControllerLog, 'why'> & { nameless: boolean }

async function readPod(
  kube: Kube,
  { metadata, spec }: Wire<V1Pod>,
  { from, tail, signal }: { from: string; tail: number; signal: AbortSignal },
): Promise<PodLog | { unread: unknown }> {
  const ref = { name: metadata?.name ?? '', namespace: metadata?.namespace ?? '' }
  const container = spec?.containers[0]?.name ?? ''
  const log: PodLog = { lines: [], nameless: false, since: from }
  let count = 0
  try {
    for await (const { at = '', text } of kube.log(ref, { container, since: from, tail, timestamps: true, signal })) {
      count += 1
      // older lines were not sent
      if (count === 1 && at !== '') log.since = at
      const access = parseAccess(text)
      if (access === 'nameless') log.nameless = true
      else if (access) log.lines.push({ at, stamp: stampOf(at), access })
    }
  } catch (error) {
    return { unread: error }
  }
  return count < tail ? { ...log, since: from } : log
}
