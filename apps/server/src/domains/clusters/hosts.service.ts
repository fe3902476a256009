import type { Host, HostDetail, hosts } from '@gantry/contract/clusters/hosts'
import { hostSorts, Taint } from '@gantry/contract/clusters/hosts'
import type { Age } from '@gantry/contract/clusters/pods'
import type { V1Node } from '@kubernetes/client-node'
import type { z } from 'zod'
import { type NodeRow, nodeRow } from '../../adapters/kube/cluster-rows.ts'
import { isKube } from '../../adapters/kube/errors.ts'
import { list, text, texts } from '../../adapters/kube/keep.ts'
import type { Wire } from '../../adapters/kube/objects.ts'
import { bytes } from '../../adapters/kube/quantity.ts'
import * as kinds from '../../adapters/kube/resources.ts'
import { sorting } from '../../db/list.ts'
import { mustHoldInOneOf, teamsHolding, visibleTeams } from '../../kernel/access.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { by, inOrder, reversed } from '../../kernel/in-order.ts'
import { listed, page, paged } from '../../kernel/paging.ts'
import { say, sayTo } from '../../kernel/phrase.ts'
import { sayReasonTo } from '../../kernel/reason.ts'
import { drainsOf, findDrain } from './drains.store.ts'
import { clusterAt, clusterOf } from './connect.service.ts'
import { findEnvironment, teamsUsing } from './environments.store.ts'
import { ageOf } from './freshness.ts'
import { asked } from './host-node.ts'
import { type LiveHosts, liveHosts } from './hosts.live.ts'
import { clustersOf, teamNames } from './hosts.read.ts'
import { dedicatedTo, figures, hostFilter, hostOrder, shownHost } from './hosts.rows.ts'
import { hasAlone, namespacesSeen } from './reach.service.ts'

const view = 'resource_host_view'

type Asked = z.output<(typeof hosts.list)['query']>

interface ClusterHosts {
  environment: Awaited<ReturnType<typeof clustersOf>>[number]
  /** Undefined where it could not be asked at all. */
  live?: LiveHosts
  age: Age
}

/** The clusters that a list is about: the one that is asked for, those of the team, or all where the caller holds the right. */
async function clustersSeen(ctx: Ctx, { envUuid: only, all }: Asked): Promise<ClusterHosts['environment'][]> {
  if (only === undefined) {
    const teams = await visibleTeams(all === 'true' ? { ...ctx, tenantId: undefined } : ctx, view)
    return clustersOf(ctx.db, { teams })
  }
  const teams = await teamsUsing(ctx.db, only)
  if (teams === undefined) throw new Fault('missing', 'resource-missing')
  await mustHoldInOneOf(ctx, teams, view)
  return clustersOf(ctx.db, { teams: undefined, only })
}

async function look(ctx: Ctx, environment: ClusterHosts['environment']): Promise<ClusterHosts> {
  try {
    const live = await liveHosts(clusterAt(ctx, environment))
    return { environment, live, age: ageOf(ctx, live.freshness) }
  } catch (error) {
    if (isKube(error)) return { environment, age: ageOf(ctx, { state: 'stale', since: Date.now(), error }) }
    if (error instanceof Fault) return { environment, age: { staleSince: null, message: sayTo(ctx, error) } }
    // One cluster whose row cannot be read takes the others from nobody.
    ctx.log.error({ err: error, environment: environment.uuid }, 'the hosts of a cluster were not read')
    return { environment, age: { staleSince: null, message: say(ctx.lang, 'clusters-health-unreachable') } }
  }
}

/** Names of the teams that hosts are dedicated to, as far as the caller sees those teams. */
async function namesOfDedicated(ctx: Ctx, nodes: readonly NodeRow[]): Promise<ReadonlyMap<number, string>> {
  const [seen] = await teamsHolding(ctx, [[]])
  const teams = new Set(nodes.map(dedicatedTo).filter((team) => team !== undefined))
  return teamNames(
    ctx.db,
    [...teams].filter((team) => seen === undefined || seen.includes(team)),
  )
}

export async function listHosts(ctx: Ctx, query: Asked) {
  const at = page(query)
  const { by: column, direction } = sorting<(typeof hostSorts)[number]>(query.sort, hostSorts)
  const environments = await clustersSeen(ctx, query)
  const clusters = await Promise.all(environments.map((environment) => look(ctx, environment)))
  const drains = await drainsOf(
    ctx.db,
    environments.map(({ uuid }) => uuid),
  )
  const drainBy = new Map(drains.map((drain) => [`${drain.environment}/${drain.nodeUid}`, drain.state]))
  const names = await namesOfDedicated(
    ctx,
    clusters.flatMap(({ live }) => live?.nodes ?? []),
  )
  const wanted = hostFilter(query)
  const found = clusters.flatMap(({ environment, live }) =>
    (live?.nodes ?? []).flatMap((node) => {
      const host = shownHost(node, {
        environment,
        alone: ctx.actor.admin || environment.ofOneTeam,
        sum: live?.sums(node.name),
        used: live?.used.get(node.name),
        drain: drainBy.get(`${environment.uuid}/${node.uid}`),
        team: names.get(dedicatedTo(node) ?? 0),
        own: ctx.config.nodeName,
      })
      return wanted(host, node) ? [host] : []
    }),
  )
  const total = found.length
  const items: Host[] = inOrder(found, hostOrder(column, direction), at.offset, at.offset + at.limit)
  return {
    ...listed(items, total, at),
    stale: clusters
      .filter(({ live }) => live?.freshness.state !== 'live')
      .map(({ environment: { uuid, name }, age: { staleSince, message } }) => ({
        envUuid: uuid,
        envName: name,
        since: staleSince,
        message,
      })),
  }
}

type Node = Wire<V1Node>

const mib = 2 ** 20

const imagesOf = ({ status }: Node): HostDetail['images'] =>
  list(status?.images)
    .map(({ names, sizeBytes }) => ({ names: texts(names), sizeMib: Math.round(bytes(sizeBytes) / mib) }))
    .map(({ names, sizeMib }) => ({
      // A name with a tag says more than one with a digest.
      name: names.find((name) => !name.includes('@')) ?? names[0] ?? '',
      sizeMib,
    }))
    .sort(reversed(by((image) => image.sizeMib)))

/** Whole, because they are edited. */
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

/** One host as the cluster tells it now. */
export async function readHost(ctx: Ctx, env: string, name: string): Promise<HostDetail> {
  const environment = await findEnvironment(ctx.db, env)
  const cluster = await clusterOf(ctx, env)
  const [node, live] = await asked(Promise.all([cluster.kube.find(kinds.nodes, { name }), liveHosts(cluster)]))
  if (!node) throw new Fault('missing', 'hosts-missing', { host: name })
  const row = nodeRow(node)
  const names = await namesOfDedicated(ctx, [row])
  const maintenance = await maintenanceOf(ctx, env, row)
  const alone = await hasAlone(ctx, env)
  const info = node.status?.nodeInfo
  return {
    ...shownHost(row, {
      environment: { uuid: env, name: environment?.name ?? '' },
      alone,
      sum: live.sums(name),
      used: live.used.get(name),
      drain: maintenance?.state,
      team: names.get(dedicatedTo(row) ?? 0),
      own: ctx.config.nodeName,
    }),
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

/** Events about one host, the latest first. */
export async function hostEvents(ctx: Ctx, env: string, name: string, query: z.output<(typeof hosts.events)['query']>) {
  const word = query.keyword?.trim().toLowerCase() ?? ''
  const { rows } = await (await clusterOf(ctx, env)).rows('events', undefined, 1500)
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
  return paged(found, page(query))
}
