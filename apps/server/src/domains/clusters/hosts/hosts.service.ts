import { type Host, type HostDetail, type hosts, hostSorts, Taint } from '@gantry/contract/clusters/hosts'
import type { Age } from '@gantry/contract/clusters/pods'
import type { V1Node } from '@kubernetes/client-node'
import type { z } from 'zod'
import { nodeRow, type NodeRow } from '../../../adapters/kube/rows/cluster-rows.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import { list, text, texts } from '../../../adapters/kube/parse-object.ts'
import type { Wire } from '../../../adapters/kube/objects.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import { bytes } from '../../../adapters/kube/rows/quantity.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { waits } from '../../../adapters/kube/waits.ts'
import { sorting } from '../../../db/list.ts'
import { mustHoldInOneOf, teamsHolding, visibleTeams } from '../../../identity/access.ts'
import { type Ctx, scoped } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { by, inOrder, reversed } from '../../../kernel/in-order.ts'
import { toList, page, paged } from '../../../kernel/paging.ts'
import { say, sayReasonTo, sayTo } from '../../../kernel/phrase.ts'
import { drainsOf, findDrain } from '../drains/drains.store.ts'
import { clusterAt, clusterOf, usesExclusively } from '../clusters/connect.service.ts'
import { findCluster, teamsUsing } from '../clusters/clusters.store.ts'
import { ageOf } from '../live/freshness.ts'
import { withKubeFaults } from './host-node.ts'
import { liveFigures, type LiveFigures, liveHosts, type LiveHosts, withRoom } from './hosts.live.ts'
import { teamNames } from '../../teams/public.read.ts'
import { clustersOf } from './hosts.read.ts'
import { carried, dedicatedTo, figures, hostFilter, hostOrder, shownHost } from './hosts.rows.ts'
import { namespacesSeen } from '../live/visibility.service.ts'

const view = 'resource_host_view'

type HostQuery = z.output<(typeof hosts.list)['query']>

interface ClusterHosts {
  environment: Awaited<ReturnType<typeof clustersOf>>[number]
  /** Undefined if the cluster could not be reached at all. */
  live?: LiveHosts & { cluster: Cluster }
  age: Age
}

/** The clusters of a list: the requested one, those of the team, or all if the caller holds the permission. */
async function clustersSeen(ctx: Ctx, { envUuid: only, all }: HostQuery): Promise<ClusterHosts['environment'][]> {
  if (only === undefined) {
    const teams = await visibleTeams(all === 'true' ? { ...ctx, tenantId: undefined } : ctx, view)
    return clustersOf(ctx.db, { teams })
  }
  const teams = mustExist(await teamsUsing(ctx.db, only))
  await mustHoldInOneOf(ctx, teams, view)
  return clustersOf(ctx.db, { teams: undefined, only })
}

async function look(call: Ctx, environment: ClusterHosts['environment']): Promise<ClusterHosts> {
  const ctx = scoped(call)
  try {
    const cluster = clusterAt(ctx, environment)
    const live = { cluster, ...(await liveHosts(cluster)) }
    return { environment, live, age: ageOf(ctx, live.freshness) }
  } catch (error) {
    if (isKube(error)) return { environment, age: ageOf(ctx, { state: 'stale', since: Date.now(), error }) }
    if (error instanceof Fault) return { environment, age: { staleSince: null, message: sayTo(ctx, error) } }
    // one unreadable cluster does not break the list of the others
    ctx.log.error({ err: error, environment: environment.uuid }, 'the hosts of a cluster were not read')
    return { environment, age: { staleSince: null, message: say(ctx.lang, 'clusters-health-unreachable') } }
  }
}

/** Names of the teams that hosts are dedicated to, for teams that the caller may see. */
async function namesOfDedicated(ctx: Ctx, nodes: readonly NodeRow[]): Promise<ReadonlyMap<number, string>> {
  const [seen] = await teamsHolding(ctx, [[]])
  const teams = new Set(nodes.map(dedicatedTo).filter((team) => team !== undefined))
  return teamNames(
    ctx.db,
    [...teams].filter((team) => seen === undefined || seen.includes(team)),
  )
}

/**
 * Figures of these clusters. Each caches the pods of its cluster: a single requested cluster is always counted, of
 * several those that fit.
 */
async function figuresOf(ctx: Ctx, clusters: ClusterHosts[], many: boolean): Promise<Map<string, LiveFigures>> {
  const there = clusters.flatMap(({ environment, live }) => (live ? [{ uuid: environment.uuid, ...live }] : []))
  const known = there.map(({ cluster }) => cluster)
  const counted = many ? withRoom(ctx.ports.kube, known) : new Set(known)
  return new Map(
    await Promise.all(
      there
        .filter(({ cluster }) => counted.has(cluster))
        .map(async ({ uuid, cluster }) => [uuid, await liveFigures(cluster)] as const),
    ),
  )
}

/** Columns that need the figures of every host to sort; the others need those of the page's hosts only. */
const byFigures: ReadonlySet<string> = new Set<(typeof hostSorts)[number]>(['podNum', 'cpu', 'memory'])

export async function listHosts(ctx: Ctx, query: HostQuery) {
  const at = page(query)
  const { by: column, direction } = sorting<(typeof hostSorts)[number]>(query.sort, hostSorts)
  const clusters = await clustersSeen(ctx, query)
  const many = clusters.length > 1
  const looked = await Promise.all(clusters.map((environment) => look(ctx, environment)))
  const drains = await drainsOf(
    ctx.db,
    clusters.map(({ uuid }) => uuid),
  )
  const drainBy = new Map(drains.map((drain) => [`${drain.environment}/${drain.nodeUid}`, drain.state]))
  const names = await namesOfDedicated(
    ctx,
    looked.flatMap(({ live }) => live?.nodes ?? []),
  )
  const toHost = ({ environment }: ClusterHosts, node: NodeRow, figures: LiveFigures | undefined): Host =>
    shownHost(node, {
      environment,
      alone: ctx.actor.admin || environment.ofOneTeam,
      sum: figures?.freshness.state === 'loading' ? undefined : figures?.sums(node.name),
      used: figures?.used.get(node.name),
      drain: drainBy.get(`${environment.uuid}/${node.uid}`),
      team: names.get(dedicatedTo(node) ?? 0),
      own: ctx.config.nodeName,
    })
  const first = byFigures.has(column) ? await figuresOf(ctx, looked, many) : undefined
  const wanted = hostFilter(query)
  const found = looked.flatMap((of) =>
    (of.live?.nodes ?? []).flatMap((node) => {
      const host = toHost(of, node, first?.get(of.environment.uuid))
      return wanted(host, node) ? [{ of, node, host }] : []
    }),
  )
  const order = hostOrder(column, direction)
  const onPage = inOrder(found, (a, b) => order(a.host, b.host), at.offset, at.offset + at.limit)
  const needed = first ? looked : looked.filter((of) => onPage.some((row) => row.of === of))
  const counts = first ?? (await figuresOf(ctx, needed, many))
  const items = onPage.map(({ of, node }) => toHost(of, node, counts.get(of.environment.uuid)))
  const stale = looked.flatMap((of) => {
    const { uuid, name } = of.environment
    const counted = counts.get(uuid)
    const notice = ({ staleSince, message }: Age, uncounted = false) => [
      { envUuid: uuid, envName: name, since: staleSince, message, uncounted },
    ]
    if (of.live?.freshness.state !== 'live') return notice(of.age)
    if (counted) return counted.freshness.state === 'live' ? [] : notice(ageOf(ctx, counted.freshness))
    return needed.includes(of) ? notice({ staleSince: null, message: say(ctx.lang, 'hosts-uncounted') }, true) : []
  })
  return { ...toList(items, found.length, at), stale }
}

type Node = Wire<V1Node>

const mib = 2 ** 20

const imagesOf = ({ status }: Node): HostDetail['images'] =>
  list(status?.images)
    .map(({ names, sizeBytes }) => ({ names: texts(names), sizeMib: Math.round(bytes(sizeBytes) / mib) }))
    .map(({ names, sizeMib }) => ({
      // A name with a tag is more informative than one with a digest.
      name: names.find((name) => !name.includes('@')) ?? names[0] ?? '',
      sizeMib,
    }))
    .sort(reversed(by((image) => image.sizeMib)))

/** Not filtered, because users edit them. */
const annotationsOf = ({ metadata }: Node): Record<string, string> =>
  Object.fromEntries(Object.entries(metadata?.annotations ?? {}).filter(([, value]) => typeof value === 'string'))

async function maintenanceOf(ctx: Ctx, env: string, node: NodeRow): Promise<HostDetail['maintenance']> {
  const drain = await findDrain(ctx.db, env, node.name)
  if (!drain || drain.nodeUid !== node.uid || (drain.state === 'done' && node.schedulable)) return null
  const seen = await namespacesSeen(ctx, env, view)
  return {
    state: drain.state,
    total: drain.total,
    left: drain.remaining,
    waiting: drain.waiting
      .filter(({ namespace }) => seen === undefined || seen.has(namespace))
      .map(({ namespace, pod, reason }) => ({ namespace, pod, reason: sayReasonTo(ctx, reason) })),
    message: sayReasonTo(ctx, drain.reason),
    startedAt: drain.startedAt,
  }
}

/** One host, read from the cluster. */
export async function readHost(ctx: Ctx, env: string, name: string): Promise<HostDetail> {
  const { name: clusterName = '' } = (await findCluster(ctx.db, env)) ?? {}
  const cluster = await clusterOf(ctx, env)
  const [node, live] = await withKubeFaults(
    Promise.all([cluster.kube.find(kinds.nodes, { name }), liveFigures(cluster)]),
  )
  if (!node) throw new Fault('missing', 'hosts-missing', { host: name })
  const row = nodeRow(node)
  const names = await namesOfDedicated(ctx, [row])
  const maintenance = await maintenanceOf(ctx, env, row)
  const alone = await usesExclusively(ctx, env)
  const info = node.status?.nodeInfo
  const sum = live.sums(name)
  return {
    ...shownHost(row, {
      environment: { uuid: env, name: clusterName },
      alone,
      sum,
      used: live.used.get(name),
      drain: maintenance?.state,
      team: names.get(dedicatedTo(row) ?? 0),
      own: ctx.config.nodeName,
    }),
    ...carried(sum),
    capacity: figures(row.capacity),
    architecture: row.architecture,
    kernel: row.kernel,
    runtime: row.runtime,
    osImage: text(info?.osImage),
    addresses: list(node.status?.addresses).map(({ type, address }) => ({ type: text(type), address: text(address) })),
    conditions: list(node.status?.conditions).map((one) => ({
      type: text(one.type),
      status: text(one.status),
      reason: text(one.reason),
      message: text(one.message),
      since: text(one.lastTransitionTime),
    })),
    labels: row.labels,
    annotations: annotationsOf(node),
    taints: row.taints.flatMap((taint) => Taint.safeParse(taint).data ?? []),
    images: alone ? imagesOf(node) : [],
    maintenance,
  }
}

/** Events of one host, the latest first. */
export async function hostEvents(ctx: Ctx, env: string, name: string, query: z.output<(typeof hosts.events)['query']>) {
  const word = query.keyword?.trim().toLowerCase() ?? ''
  const { rows, cut } = await (await clusterOf(ctx, env)).rows('events', undefined, waits.rows)
  const found = rows
    .filter(
      ({ about, reason, message }) =>
        about.kind === 'Node' &&
        about.name === name &&
        (word === '' || reason.toLowerCase().includes(word) || message.toLowerCase().includes(word)),
    )
    .sort(reversed(by((row) => row.last)))
    .map(({ type, reason, message, count, first, last, source }) => ({
      type,
      reason,
      message,
      count,
      first,
      last,
      source,
    }))
  return { ...paged(found, page(query)), ...(cut && { truncated: true }) }
}
