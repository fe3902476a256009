import { cpuCores, memoryBytes } from '@gantry/contract/stacks/amounts'
import { instancesOf } from '@gantry/contract/stacks/scaling/autoscaling'
import type { Container, ServiceDetail, ServiceSummary } from '@gantry/contract/stacks/services'
import type { z } from 'zod'
import { waits } from '../../../adapters/kube/waits.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import type { PodRow } from '../../../adapters/kube/rows/pod-row.ts'
import type { Freshness } from '../../../adapters/kube/cache/reflector.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { compareNames } from '../../../kernel/in-order.ts'
import { sayReasonTo } from '../../../kernel/phrase.ts'
import { clusterOf } from '../../clusters/public.ts'
import { problemOf } from '../reconcile/observe.ts'
import { divided, isOpen } from '../copies/copy.ts'
import { shownCopy } from '../copies/shown-copy.ts'
import { shownScaling } from '../scaling/shown-scaling.ts'
import { revisionsOf } from '../revisions/revisions.store.ts'
import { findService, type PlaceOfService, type ServiceRow, servicesWithPlace } from './services.store.ts'
import { outwardAddresses } from '../outward/ways.service.ts'
import { addressesOf } from '../outward/claims.store.ts'
import { takenBy } from '../stacks/stacks.service.ts'
import type { StackRow } from '../stacks/stacks.store.ts'

interface Live {
  pods: PodRow[]
  freshness: Pick<Freshness, 'state' | 'since'>
}

/**
 * The pods of one or several namespaces, from the cache. A cluster that does not answer is reported as such, never as
 * an error.
 */
export async function livePods(
  ctx: Ctx,
  stack: { envId: string; namespace: string | ReadonlySet<string> },
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

/** Those of a service's pods that are of the wanted revision and not being deleted. */
const wantedPods = (own: readonly PodRow[], service: ServiceRow): PodRow[] =>
  own.filter((pod) => pod.labels[labels.revision] === String(service.podRevision) && pod.deleting === undefined)

/**
 * The reason for a service's state. A settled service reports what happened to its pods since, because its state says
 * what was achieved, not how the pods are now.
 */
function reasonOf({ state, reason }: ServiceRow, wanted: PodRow[], freshness: Live['freshness']): unknown {
  const settled = state === 'stable' || state === 'upgraded'
  return reason ?? (settled && freshness.state === 'live' ? (problemOf(wanted) ?? null) : null)
}

/** How many pods there should be; for a DaemonSet or Job, those that exist. */
function countOf(service: ServiceRow, wanted: PodRow[]): number {
  const { spec, state, copy, previous, instances } = service
  const { workload = 'deployment', outward } = spec
  const replicas = instancesOf(spec, instances)
  if (outward) return 0
  if (isOpen(copy) && previous && (state === 'upgrading' || state === 'upgraded'))
    return divided(copy, instancesOf(previous.spec, instances), replicas).new
  switch (workload) {
    case 'deployment':
    case 'statefulset':
      return replicas
    case 'daemonset':
      return wanted.length
    case 'job':
    case 'cronjob':
      return wanted.filter(({ phase }) => phase !== 'Succeeded' && phase !== 'Failed').length
  }
}

function summary(
  ctx: Ctx,
  stack: PlaceOfService,
  service: ServiceRow,
  { pods: own, freshness }: Live,
  outside: ReadonlyMap<number, string[]>,
): ServiceSummary {
  const wanted = wantedPods(own, service)
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
    workload: service.spec.workload ?? 'deployment',
    state: service.state,
    message: sayReasonTo(ctx, reasonOf(service, wanted, freshness)),
    image: service.spec.image,
    digest: service.digest || (main?.digest ?? ''),
    replicas: countOf(service, wanted),
    ready: wanted.filter((pod) => pod.serving).length,
    revision: service.revision,
    live: {
      state: freshness.state,
      since: freshness.since > 0 ? new Date(freshness.since).toISOString() : null,
    },
    addresses: service.spec.outward
      ? outwardAddresses(service, stack, outside.get(service.id) ?? [])
      : service.spec.ports.map(({ port, protocol }) => ({
          name: `${protocol.toLowerCase()}-${port}`,
          url: `${protocol === 'TCP' ? 'http' : 'udp'}://${service.name}.${stack.namespace}.svc:${port}`,
          external: false,
        })),
    createdAt: service.createdAt,
    updatedAt: service.updatedAt,
    changedBy: service.actor,
    drift: service.drift,
  }
}

const outwardIds = (services: readonly ServiceRow[]): number[] =>
  services.flatMap(({ id, spec }) => (spec.outward ? [id] : []))

/** Services of any of these stacks for lists, in their order, with one read of each cluster. */
export async function summaries(
  ctx: Ctx,
  stacks: readonly PlaceOfService[],
  services: readonly ServiceRow[],
): Promise<ServiceSummary[]> {
  if (services.length === 0) return []
  const onCluster = Array.from(
    Map.groupBy(stacks, ({ envId }) => envId),
    async ([envId, on]) => {
      const { pods, freshness } = await livePods(ctx, {
        envId,
        namespace: new Set(on.map(({ namespace }) => namespace)),
      })
      const byOwner = Map.groupBy(pods, (pod) => `${pod.namespace} ${pod.labels[labels.service]}`)
      return on.map((stack) => [stack.id, { stack, freshness, byOwner }] as const)
    },
  )
  const [outside, ...read] = await Promise.all([addressesOf(ctx.db, outwardIds(services)), ...onCluster])
  const places = new Map(read.flat())
  return services.flatMap((service) => {
    const place = places.get(service.stackId)
    if (!place) return []
    const { stack, freshness, byOwner } = place
    const pods = byOwner.get(`${stack.namespace} ${service.id}`) ?? []
    return [summary(ctx, stack, service, { pods, freshness }, outside)]
  })
}

export async function readService(ctx: Ctx, stack: StackRow, id: number, waitMs = waits.rows): Promise<ServiceDetail> {
  const service = mustExist(await findService(ctx.db, id))
  return shownService(ctx, stack, service, waitMs)
}

/** A service with all details. */
export async function shownService(
  ctx: Ctx,
  stack: StackRow,
  service: ServiceRow,
  waitMs = waits.rows,
): Promise<ServiceDetail> {
  const { pods, freshness } = await livePods(ctx, stack, waitMs)
  const own = { pods: podsOf(pods, service.id), freshness }
  return {
    ...summary(ctx, stack, service, own, await addressesOf(ctx.db, outwardIds([service]))),
    spec: service.spec,
    previous: service.previous?.spec ?? null,
    copy: shownCopy(ctx, stack, service),
    scaling: shownScaling(ctx, service),
    takes: takenBy(service),
    revisions: (await revisionsOf(ctx.db, service.id)).map(({ unpinned, ...row }) => ({
      ...row,
      unpinned: sayReasonTo(ctx, unpinned),
    })),
  }
}

const stateOf = (pod: PodRow, container: PodRow['containers'][number]): string =>
  pod.deleting === undefined ? (container.reason ?? container.state) : 'terminating'

type ShownContainer = PodRow['containers'][number] & { role: z.infer<typeof Container>['role'] }

/** Init containers are finished, and of an ended debug container there is nothing left to see. */
const isVisible = (container: PodRow['containers'][number]): container is ShownContainer =>
  container.role !== 'init' && (container.role !== 'debug' || container.state === 'running')

/** A service's containers, newest revision first, including those of the revision that is being replaced. */
export async function containersOf(ctx: Ctx, stack: StackRow, serviceId: number): Promise<z.infer<typeof Container>[]> {
  const { pods } = await livePods(ctx, stack)
  return podsOf(pods, serviceId)
    .sort((a, b) => b.created.localeCompare(a.created) || compareNames(a.name, b.name))
    .flatMap((pod) =>
      pod.containers.filter(isVisible).map((container) => ({
        podId: pod.uid,
        podName: pod.name,
        name: container.name,
        role: container.role,
        state: stateOf(pod, container),
        message: container.message ?? pod.message ?? '',
        ready: container.role === 'debug' || container.ready,
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

/** The present health of a service in figures. */
export interface ServiceHealth {
  name: string
  namespace: string
  /** Whether it has pods to look at: not if it is stopped, runs none itself, or is being deleted. */
  runs: boolean
  /** Instances that should be ready, and those that are, of any revision. */
  wanted: number
  ready: number
  /** The total restarts of its containers, by pod. */
  restarts: Record<string, number>
  /** The limits of the main container, in cores and bytes. */
  limits: { cpu: number; memory: number }
}

/** The health of services of one cluster, with one read of it; undefined if it does not answer. */
export async function healthOfServices(
  ctx: Ctx,
  clusterId: string,
  serviceIds: readonly number[],
): Promise<Map<number, ServiceHealth> | undefined> {
  const services = await servicesWithPlace(ctx.db, serviceIds)
  const namespaces = new Set(services.map(({ namespace }) => namespace))
  const { pods, freshness } = await livePods(ctx, { envId: clusterId, namespace: namespaces }, waits.round)
  if (freshness.state !== 'live') return undefined
  const byService = Map.groupBy(pods, (pod) => Number(pod.labels[labels.service]))
  return new Map(
    services.map(({ service, namespace }) => {
      const own = (byService.get(service.id) ?? []).filter((pod) => pod.namespace === namespace)
      const { cpu, memory } = service.spec.resources
      return [
        service.id,
        {
          name: service.name,
          namespace,
          runs: service.spec.outward === undefined && service.state !== 'stopped' && service.state !== 'deleting',
          wanted: countOf(service, wantedPods(own, service)),
          ready: own.filter((pod) => pod.serving && pod.deleting === undefined).length,
          restarts: Object.fromEntries(own.map(({ uid, restarts }) => [uid, restarts])),
          limits: { cpu: cpuCores(cpu), memory: memoryBytes(memory) },
        },
      ]
    }),
  )
}
