import type { Container, ServiceDetail, ServiceSummary } from '@gantry/contract/stacks/services'
import type { z } from 'zod'
import { waits } from '../../../adapters/kube/waits.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import type { PodRow } from '../../../adapters/kube/rows/pod-row.ts'
import type { Freshness } from '../../../adapters/kube/cache/reflector.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { compareNames } from '../../../kernel/in-order.ts'
import { sayReasonTo } from '../../../kernel/phrase.ts'
import { clusterOf } from '../../clusters/public.ts'
import { problemOf } from '../reconcile/observe.ts'
import { findService, revisionsOf, type ServiceRow } from './services.store.ts'
import { takenBy } from '../stacks/stacks.service.ts'
import type { StackRow } from '../stacks/stacks.store.ts'

interface Live {
  pods: PodRow[]
  freshness: Pick<Freshness, 'state' | 'since'>
}

/**
 * The pods of a stack's namespace as the cache has them. A cluster that does not answer is reported as such, never as
 * an error.
 */
export async function livePods(
  ctx: Ctx,
  stack: Pick<StackRow, 'envId' | 'namespace'>,
  waitMs = waits.rows,
): Promise<Live> {
  try {
    const cluster = await clusterOf(ctx, stack.envId)
    const { rows, freshness } = await cluster.rows('pods', stack.namespace, waitMs)
    return { pods: rows, freshness }
  } catch (error) {
    if (error instanceof Fault && error.kind === 'missing') throw error
    ctx.log.warn({ err: error, environment: stack.envId }, 'a cluster was not read')
    return { pods: [], freshness: { state: 'stale', since: Date.now() } }
  }
}

const podsOf = (pods: PodRow[], serviceId: number): PodRow[] =>
  pods.filter((pod) => pod.labels[labels.service] === String(serviceId))

/** The pods of the wanted revision that are not being deleted. */
const wantedPods = (pods: PodRow[], service: ServiceRow): PodRow[] =>
  podsOf(pods, service.id).filter(
    (pod) => pod.labels[labels.revision] === String(service.podRevision) && pod.deleting === undefined,
  )

/**
 * The reason for a service's state. A settled service reports what happened to its pods since: its state reflects what
 * was asked of it, not how they are.
 */
function reasonOf({ state, reason }: ServiceRow, wanted: PodRow[], { freshness }: Live): unknown {
  const settled = state === 'stable' || state === 'upgraded'
  return reason ?? (settled && freshness.state === 'live' ? (problemOf(wanted) ?? null) : null)
}

function summary(ctx: Ctx, stack: StackRow, service: ServiceRow, live: Live): ServiceSummary {
  const { freshness } = live
  const wanted = wantedPods(live.pods, service)
  const main = wanted.flatMap((pod) => pod.containers).find((container) => container.role === 'main' && container.ready)
  return {
    id: service.id,
    stackId: stack.id,
    stackUuid: stack.uuid,
    stackName: stack.name,
    teamId: stack.teamId,
    envId: stack.envId,
    name: service.name,
    type: service.type,
    state: service.state,
    message: sayReasonTo(ctx, reasonOf(service, wanted, live)),
    image: service.spec.image,
    digest: service.digest || (main?.digest ?? ''),
    replicas: service.spec.replicas,
    ready: wanted.filter((pod) => pod.serving).length,
    revision: service.revision,
    live: {
      state: freshness.state,
      since: freshness.since > 0 ? new Date(freshness.since).toISOString() : null,
    },
    addresses: service.spec.ports.map(({ port, protocol }) => ({
      name: `${protocol.toLowerCase()}-${port}`,
      url: `${protocol === 'TCP' ? 'http' : 'udp'}://${service.name}.${stack.namespace}.svc:${port}`,
      external: false,
    })),
    createdAt: service.createdAt,
    updatedAt: service.updatedAt,
    changedBy: service.actor,
  }
}

/** Services of one stack as lists show them, with one read of the cluster for all. */
export async function summaries(ctx: Ctx, stack: StackRow, services: ServiceRow[]): Promise<ServiceSummary[]> {
  if (services.length === 0) return []
  const live = await livePods(ctx, stack)
  return services.map((service) => summary(ctx, stack, service, live))
}

export async function readService(ctx: Ctx, stack: StackRow, id: number, waitMs = waits.rows): Promise<ServiceDetail> {
  const service = await findService(ctx.db, id)
  if (!service) throw new Fault('missing', 'resource-missing')
  const live = await livePods(ctx, stack, waitMs)
  return {
    ...summary(ctx, stack, service, live),
    spec: service.spec,
    previous: service.previous?.spec ?? null,
    takes: takenBy(service),
    revisions: await revisionsOf(ctx.db, id),
  }
}

const stateOf = (pod: PodRow, container: PodRow['containers'][number]): string =>
  pod.deleting === undefined ? (container.reason ?? container.state) : 'terminating'

/** A service's containers, newest revision first, including those of the revision that is being replaced. */
export async function containersOf(ctx: Ctx, stack: StackRow, serviceId: number): Promise<z.infer<typeof Container>[]> {
  const { pods } = await livePods(ctx, stack)
  return podsOf(pods, serviceId)
    .sort((a, b) => b.created.localeCompare(a.created) || compareNames(a.name, b.name))
    .flatMap((pod) =>
      pod.containers
        .filter((container) => container.role !== 'init')
        .map((container) => ({
          podId: pod.uid,
          podName: pod.name,
          name: container.name,
          state: stateOf(pod, container),
          message: container.message ?? pod.message ?? '',
          ready: container.ready,
          restarts: container.restarts,
          image: container.image,
          digest: container.digest ?? '',
          node: pod.node,
          ip: pod.ip,
          revision: pod.labels[labels.revision] ?? '',
          startedAt: container.started ?? null,
        })),
    )
}
