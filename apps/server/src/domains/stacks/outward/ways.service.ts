import { type Entry, entriesOf, familyOf, type LbProtocol, type LoadBalancer } from '@gantry/contract/stacks/outward'
import type { ServiceSummary } from '@gantry/contract/stacks/services'
import type { IngressCheck, Route } from '@gantry/contract/stacks/ways'
import type { z } from 'zod'
import { isKube } from '../../../adapters/kube/errors.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { PodRow } from '../../../adapters/kube/rows/pod-row.ts'
import { waits } from '../../../adapters/kube/waits.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { say, sayTo } from '../../../kernel/phrase.ts'
import { clusterOf, mustUse } from '../../clusters/public.ts'
import { openingOf, routeName } from '../services/objects/routes.ts'
import { findServiceByName, type ServiceRow } from '../services/services.store.ts'
import type { StackRow } from '../stacks/stacks.store.ts'
import { type RouteStatus, waysOf } from '../services/types/routed.ts'
import { placeOfEntry, refusalOf } from './claims.service.ts'
import { addressesOf } from './claims.store.ts'
import { type Group, groupFor } from './entrance.service.ts'

type Stored = z.infer<typeof LoadBalancer>

/** The load balancer that a service is, or 404. */
export function lbOf({ spec: { outward } }: Pick<ServiceRow, 'spec'>): Stored {
  if (outward?.type !== 'lb') throw new Fault('missing', 'resource-missing')
  return outward
}

export async function readLb(ctx: Ctx, service: ServiceRow) {
  const { group = '', rules, certificates = [] } = lbOf(service)
  const addresses = (await addressesOf(ctx.db, [service.id])).get(service.id) ?? []
  return { group, rules, certificates, revision: service.revision, addresses }
}

/** A change that replaces the rules of a load balancer. */
export function withRules(
  given: Pick<Stored, 'rules' | 'certificates'>,
): (current: ServiceRow['spec']) => ServiceRow['spec'] {
  return (current) => {
    const { group } = lbOf({ spec: current })
    const { rules, certificates } = given
    const outward = { type: 'lb' as const, rules, ...(group && { group }), ...(certificates && { certificates }) }
    return { ...current, outward }
  }
}

interface Seen {
  entrance: Group
  ways: RouteStatus
  pods: PodRow[]
}

async function look(ctx: Ctx, stack: StackRow, service: ServiceRow): Promise<Seen> {
  const { outward } = service.spec
  if (outward?.type !== 'lb' && outward?.type !== 'ingress') throw new Fault('missing', 'resource-missing')
  try {
    const cluster = await clusterOf(ctx, stack.envId)
    const placed = { id: service.id, namespace: stack.namespace }
    const [entrance, ways, { rows: pods }] = await Promise.all([
      groupFor(cluster.kube, outward.group, placed),
      waysOf(cluster.kube, placed),
      cluster.rows('pods', stack.namespace, waits.rows),
    ])
    return { entrance, ways, pods }
  } catch (error) {
    throw isKube(error) ? kubeFault(error) : error
  }
}

const protocols = { http: 'HTTP', https: 'HTTPS', tcp: 'TCP', udp: 'UDP' } as const
const usualPorts = { http: 80, https: 443, tcp: 0, udp: 0 } as const

/** The URL for a browser: of the host or, without one, of the first address. */
export function urlOf(
  { family, port, host, path }: Pick<Entry, 'family' | 'port' | 'host' | 'path'>,
  addresses: readonly string[],
): string {
  if (family === 'tcp' || family === 'udp') return ''
  const at = host === '' ? addresses[0] : host.replace(/^\*\./, 'www.')
  if (at === undefined || at === '') return ''
  const own = port === usualPorts[family] || at.includes(':') ? '' : `:${port}`
  return `${family}://${at}${own}${path}`
}

/** The number of a target's pods that receive requests. */
const readyOf = (pods: readonly PodRow[], { id }: ServiceRow): number =>
  pods.filter((pod) => pod.serving && pod.labels[labels.service] === String(id)).length

async function targetsOf(ctx: Ctx, stack: StackRow, service: ServiceRow) {
  const targets = new Map<string, ServiceRow | undefined>()
  for (const { targets: of } of entriesOf(service.spec.outward))
    for (const one of of)
      if (!targets.has(one.service)) targets.set(one.service, await findServiceByName(ctx.db, stack.id, one.service))
  return targets
}

/** The ways in of a service, one for each target. */
export async function readRoutes(ctx: Ctx, stack: StackRow, service: ServiceRow): Promise<Route[]> {
  const seen = await look(ctx, stack, service)
  const targets = await targetsOf(ctx, stack, service)
  return entriesOf(service.spec.outward).flatMap((entry, at) =>
    entry.targets.map((target): Route => {
      const known = targets.get(target.service)
      const refused = seen.ways.refused.get(routeName(service, at)) ?? seen.ways.refused.get('')
      const isOpened = openingOf(entry, seen.entrance) !== undefined
      const message = !known
        ? say(ctx.lang, 'outward-target-unknown', { name: target.service, stack: stack.name })
        : !isOpened
          ? say(ctx.lang, 'ingress-host-missing')
          : refused !== undefined
            ? say(ctx.lang, 'outward-refused', { reason: refused })
            : ''
      const isOpen = seen.ways.addresses.length > 0 && seen.ways.isTaken
      return {
        group: seen.entrance.group,
        name: entry.name,
        protocol: protocols[entry.family],
        port: entry.port,
        host: entry.host,
        path: entry.path,
        service: target.service,
        servicePort: target.port,
        weight: target.weight,
        url: urlOf(entry, seen.ways.addresses),
        ready: known ? readyOf(seen.pods, known) : 0,
        state: message !== '' ? 'refused' : isOpen ? 'open' : 'waiting',
        message,
      }
    }),
  )
}

/** Checks what keeps the ways in of a service closed. */
export async function checkWays(ctx: Ctx, stack: StackRow, service: ServiceRow): Promise<IngressCheck> {
  const { entrance, ways, pods } = await look(ctx, stack, service)
  const problems: IngressCheck['problems'] = []
  const tell = (fault: Fault) => problems.push({ key: fault.key, text: sayTo(ctx, fault) })
  const entries = entriesOf(service.spec.outward)
  if (entries.some((entry) => openingOf(entry, entrance) === undefined))
    tell(new Fault('conflict', 'ingress-host-missing'))
  if (ways.addresses.length === 0) tell(new Fault('conflict', 'access-address-missing'))
  for (const reason of new Set(ways.refused.values())) tell(new Fault('conflict', 'outward-refused', { reason }))
  for (const [name, target] of await targetsOf(ctx, stack, service)) {
    if (!target) tell(new Fault('conflict', 'outward-target-unknown', { name, stack: stack.name }))
    else if (!target.spec.outward && readyOf(pods, target) === 0)
      tell(new Fault('conflict', 'outward-target-unready', { name }))
  }
  const { group, controller, way } = entrance
  return { ok: problems.length === 0, group, controller, way, addresses: ways.addresses, problems }
}

/** Whether a place is free on a cluster that the team may use. */
export async function readClaimed(
  ctx: Ctx,
  where: { teamId: number; envId: string },
  query: { protocol: LbProtocol; port: number; host: string; path: string; service?: number | undefined },
) {
  await mustUse(ctx, where.envId, where.teamId)
  const place = placeOfEntry({ ...query, family: familyOf(query.protocol) })
  const refusal = await refusalOf(ctx, where, place, query.service)
  return { free: refusal === undefined, message: refusal ? sayTo(ctx, refusal) : '' }
}

/** The addresses of a service without pods: its name in the cluster, or addresses from outside. */
export function outwardAddresses(
  { name, spec: { outward } }: ServiceRow,
  { namespace }: Pick<StackRow, 'namespace'>,
  addresses: readonly string[],
): ServiceSummary['addresses'] {
  if (outward?.type === 'external')
    return (outward.ports.length > 0 ? outward.ports : [undefined]).map((one) => ({
      name: one ? `${one.protocol.toLowerCase()}-${one.port}` : 'dns',
      url: `${name}.${namespace}.svc${one ? `:${one.port}` : ''}`,
      external: false,
    }))
  const urls = new Set(entriesOf(outward).map((entry) => urlOf(entry, addresses)))
  urls.delete('')
  return [
    ...[...urls].slice(0, 20).map((url) => ({ name: url, url, external: true })),
    ...addresses.map((url) => ({ name: url, url, external: false })),
  ]
}
