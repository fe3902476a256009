import { entriesOf } from '@gantry/contract/stacks/outward'
import type { AccessLine, AccessLog, statusClasses } from '@gantry/contract/stacks/ways'
import { isKube } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import { waits } from '../../../adapters/kube/waits.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { containing, page, paged } from '../../../kernel/paging.ts'
import { type Reason, reasonOf, sayReasonTo } from '../../../kernel/phrase.ts'
import { clusterOf, listKnown } from '../../clusters/public.ts'
import { copyName, type Requests } from '../copies/copy.ts'
import type { WayIn } from '../copies/ways-in.store.ts'
import { stampOf } from '../logs/merge.ts'
import { groupFor } from '../outward/entrance.service.ts'
import { namespacesOfOthers, type StackRow } from '../stacks/stacks.store.ts'
import { logOfController } from './controller-log.ts'
import { contestedBy, namesOf, ownOf } from './names.ts'

type Way = Pick<WayIn, 'id' | 'outward'>

interface Logged {
  /** Oldest first. `copy`: whether the new instances of an open upgrade answered. */
  lines: (AccessLine & { copy: boolean })[]
  why: Reason | null
  since: string
}

/** The Gantry service of a Kubernetes service that gets requests. */
function answering({ id, outward }: Way): (backend: string) => { service: string; copy: boolean } {
  const known = new Map<string, { service: string; copy: boolean }>()
  for (const [at, { targets }] of entriesOf(outward).entries())
    for (const [target, { service }] of targets.entries())
      for (const name of [service, `gantry-${id}-${at}-${target}`]) {
        known.set(name, { service, copy: false })
        known.set(copyName(name), { service, copy: true })
      }
  return (backend) => known.get(backend) ?? { service: backend, copy: false }
}

/**
 * Namespaces of others, now or before, or undefined if they cannot be told. A line is named after namespace and object
 * with hyphens between, so that it may mean an object of theirs.
 */
async function othersOf(ctx: Ctx, cluster: Cluster, stack: StackRow): Promise<string[] | undefined> {
  const { rows, freshness, cut } = await cluster.rows('namespaces', undefined, waits.rows)
  if (freshness.state !== 'live' || cut) return undefined
  const foreign = rows.filter((one) => one.labels[labels.team] !== String(stack.teamId))
  const before = await namespacesOfOthers(ctx.db, stack)
  return [...new Set([...foreign.map(({ name }) => name), ...before])].filter((name) => name !== stack.namespace)
}

/** The addresses of the namespace's own pods, each with the time since when it was theirs. */
async function addressesOf({ kube }: Cluster, namespace: string): Promise<Map<string, string>> {
  const pods = await listKnown(kube, kinds.pods, { namespace })
  return new Map(
    pods.flatMap(({ spec, status }) => {
      const started = status?.containerStatuses?.flatMap(({ state }) => state?.running?.startedAt ?? []).sort()[0]
      // the address of a host is that of other pods too
      if (spec?.hostNetwork || status?.podIP === undefined || started === undefined) return []
      return [[status.podIP, stampOf(String(started))] as const]
    }),
  )
}

/** The requests to the ways in of a service, in what the controller of its group logged of late. */
async function readRequests(ctx: Ctx, stack: StackRow, way: Way, since?: string): Promise<Logged> {
  const { outward } = way
  if (outward?.type !== 'lb' && outward?.type !== 'ingress') throw new Fault('missing', 'resource-missing')
  try {
    const cluster = await clusterOf(ctx, stack.envId)
    const { kube } = cluster
    const { namespace } = stack
    const selection = { namespace, labels: `${labels.service}=${way.id}` }
    const [log, ingresses, routes] = await Promise.all([
      groupFor(kube, outward.group, { namespace, id: way.id }).then((group) => logOfController(cluster, group, since)),
      listKnown(kube, kinds.ingresses, selection),
      listKnown(kube, kinds.httpRoutes, selection),
    ])
    const names = namesOf(namespace, ingresses, routes)
    const found = log.lines.flatMap((line) => {
      const own = ownOf(line.access, names)
      return own ? [{ ...line, ...own }] : []
    })
    const certain = found.length === 0 ? () => true : await certainIn(ctx, cluster, stack)
    const ofBackend = answering(way)
    const lines = found.filter(certain).map(({ at, host, service, access }) => ({
      at,
      method: access.method,
      host,
      path: access.path,
      status: access.status,
      duration: access.duration,
      client: access.client,
      ...ofBackend(service),
    }))
    return { lines, why: log.why, since: log.since }
  } catch (error) {
    throw isKube(error) ? kubeFault(error) : error
  }
}

type Found = Parameters<typeof ownOf>[0]

/** Whether a line with a name of this namespace cannot be another's: by itself, or because an own pod has answered. */
async function certainIn(ctx: Ctx, cluster: Cluster, stack: StackRow) {
  const others = await othersOf(ctx, cluster, stack)
  const isContested = others ? contestedBy(others) : () => true
  const addresses = await addressesOf(cluster, stack.namespace)
  return ({ access, stamp }: { access: Found; stamp: string }): boolean => {
    if (access.namespace !== '' || !isContested(access.router || access.upstream)) return true
    const since = addresses.get(access.address)
    return since !== undefined && since <= stamp
  }
}

/** No more lines are shown, the newest of those that match. */
const most = 1000

export async function readAccessLog(
  ctx: Ctx,
  stack: StackRow,
  way: Way,
  query: Parameters<typeof page>[0] & {
    keyword?: string | undefined
    status?: (typeof statusClasses)[number] | undefined
  },
): Promise<AccessLog> {
  const { lines, why, since } = await readRequests(ctx, stack, way)
  const ofClass = lines.filter(({ status }) => query.status === undefined || query.status[0] === String(status)[0])
  // the text of a line as it is shown, so that a search does not tell what is masked
  const texts = (one: AccessLine) => [one.method, one.host, one.path, String(one.status), one.client, one.service]
  const found = containing(ofClass.toReversed(), query.keyword, texts).slice(0, most)
  const shown = paged(found, page(query))
  return { ...shown, items: shown.items.map(({ copy: _, ...line }) => line), why: sayReasonTo(ctx, why), since }
}

/** Why the requests of none of these ways in can be counted; null if those of one can. */
export async function whyUncounted(ctx: Ctx, stack: StackRow, ways: readonly Way[]): Promise<Reason | null> {
  let why: Reason | null = null
  for (const way of ways) {
    try {
      const read = await readRequests(ctx, stack, way)
      const isAnonymous = read.lines.length > 0 && read.lines.every(({ service }) => service === '')
      why = isAnonymous ? { key: 'access-log-unanswered', vars: {} } : read.why
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      why = reasonOf(error)
    }
    if (why === null) return null
  }
  return why
}

/** The requests since a time that the new instances of a service answered, and those of them that failed. */
export async function countRequests(
  ctx: Ctx,
  stack: StackRow,
  { name, ways, since }: { name: string; ways: readonly Way[]; since: string },
): Promise<Requests> {
  const from = stampOf(since)
  const read = await Promise.all(ways.map((way) => readRequests(ctx, stack, way, since)))
  // where a log does not tell ways in to one service apart, both have its lines
  const lines = new Map(
    read
      .flatMap((one) => one.lines)
      .filter(({ copy, service, at }) => copy && service === name && stampOf(at) >= from)
      .map((line) => [`${line.at} ${line.client} ${line.method} ${line.path}`, line.status]),
  )
  const failed = [...lines.values()].filter((status) => status >= 500)
  return { answered: lines.size, failed: failed.length }
}
