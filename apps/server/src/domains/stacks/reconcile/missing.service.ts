import { isDeepStrictEqual } from 'node:util'
import type { Kube } from '../../../adapters/kube/client.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import { waits } from '../../../adapters/kube/waits.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { isReason, type Reason } from '../../../kernel/phrase.ts'
import { clusterOf } from '../../clusters/public.ts'
import { endingReason } from './holding.service.ts'
import { type NamespaceOwner, namespaceOwner } from './namespace.service.ts'
import { publishService } from '../services/services.service.ts'
import { noteObserved } from '../services/changes.store.ts'
import { type ServiceRow, servicesOf } from '../services/services.store.ts'
import { publishStack } from '../stacks/stacks.service.ts'
import { failedStacks, noteReconciled, runningStacks, type StackRow } from '../stacks/stacks.store.ts'
import { nextServiceState } from '../services/states.ts'
import { workloadOf } from '../services/types/workload-types.ts'

/** A stack that failed for this reason is checked again for whether its namespace is gone by now. */
const leavingKey = 'stacks-namespace-leaving'

/** Why a stack has no namespace: one that is being deleted has another reason than one that is gone. */
export const namespaceReason = async (
  kube: Kube,
  { namespace }: StackRow,
  whose: Exclude<NamespaceOwner, 'ours'>,
): Promise<Reason> =>
  whose === 'leaving'
    ? endingReason(kube, namespace, leavingKey)
    : { key: whose === 'missing' ? 'stacks-namespace-missing' : 'stacks-namespace-of-another', vars: { namespace } }

const isLeaving = (reason: unknown): boolean => isReason(reason) && reason.key === leavingKey

/**
 * Reports that a settled service has no workload in the cluster any more, or that the namespace with which it failed is
 * gone now. A change that was requested meanwhile takes precedence.
 */
async function reportMissingService(ctx: Ctx, stack: StackRow, service: ServiceRow, reason: Reason): Promise<void> {
  const state = nextServiceState(service.state, 'lost') ?? (isLeaving(service.reason) ? service.state : undefined)
  if (state && (await noteObserved(ctx.db, service.id, service.generation, { state, reason })))
    await publishService(ctx, stack, service.id, state, service.state)
}

/**
 * Reports that the namespace of a stack is gone or somebody else's, for it and its services, until somebody has it
 * created again.
 */
export const loseNamespace = (ctx: Ctx, stack: StackRow, reason: Reason): Promise<void> =>
  inTx(ctx, async (ctx) => {
    if (isDeepStrictEqual(reason, stack.reason)) return
    for (const service of await servicesOf(ctx.db, stack.id)) await reportMissingService(ctx, stack, service, reason)
    if (await noteReconciled(ctx.db, stack, 'failed', reason)) await publishStack(ctx, stack, 'failed')
  })

/** An object that is missing in the cache is looked up in the cluster itself before it counts as gone. */
async function lookAtServices(
  ctx: Ctx,
  { kube }: Cluster,
  stack: StackRow,
  services: readonly ServiceRow[],
  isThere: (service: ServiceRow) => boolean,
) {
  const { namespace } = stack
  for (const service of services) {
    if (nextServiceState(service.state, 'lost') === undefined || isThere(service)) continue
    const { name } = service
    const { resource } = workloadOf(service)
    if (!resource) continue
    const found = await kube.find(resource, { name, namespace })
    if (found?.metadata?.labels?.[labels.service] === String(service.id)) continue
    const reason = { key: 'stacks-workload-missing', vars: { name, namespace } }
    await inTx(ctx, (ctx) => reportMissingService(ctx, stack, service, reason))
  }
}

async function lookAt(ctx: Ctx, env: string, stacks: readonly StackRow[]): Promise<void> {
  const cluster = await clusterOf(ctx, env)
  const services = new Map<number, ServiceRow[]>()
  for (const { id } of stacks) services.set(id, await servicesOf(ctx.db, id))
  // do not read a kind that no service has, because the account may not be allowed to
  const views = new Set([...services.values()].flat().flatMap((service) => workloadOf(service).view ?? []))
  const [namespaces, ...workloads] = await Promise.all([
    cluster.rows('namespaces', undefined, waits.round),
    ...Array.from(views, (view) => cluster.rows(view, undefined, waits.round)),
  ])
  // If a cluster does not answer, nothing is known; that is reported elsewhere.
  if ([namespaces, ...workloads].some(({ freshness }) => freshness.state !== 'live')) return
  const holders = new Map(
    namespaces.rows.map((row) => [row.name, row.deleting === undefined ? row.labels[labels.stack] : undefined]),
  )
  const place = (namespace: string, name: string, service: string | undefined) => `${namespace}/${name}/${service}`
  const there = new Set(
    workloads.flatMap(({ rows }) => rows.map((row) => place(row.namespace, row.name, row.labels[labels.service]))),
  )
  for (const stack of stacks) {
    const { namespace } = stack
    const { whose } =
      holders.get(namespace) === stack.uuid
        ? { whose: 'ours' as const }
        : await namespaceOwner(ctx, cluster.kube, stack)
    if (whose !== 'ours') await loseNamespace(ctx, stack, await namespaceReason(cluster.kube, stack, whose))
    else
      await lookAtServices(ctx, cluster, stack, services.get(stack.id) ?? [], ({ id, name }) =>
        there.has(place(namespace, name, String(id))),
      )
  }
}

/**
 * Reports what others deleted in the clusters. Clusters are checked in parallel, so that a slow one delays no other.
 */
export async function lookForMissing(ctx: Ctx): Promise<void> {
  const failed = (clusterId: string) => (error: unknown) =>
    ctx.log.warn({ err: error, environment: clusterId }, 'it is not known whether a cluster has what runs there')
  const stacks = Map.groupBy(
    [...(await runningStacks(ctx.db)), ...(await failedStacks(ctx.db, leavingKey))],
    ({ envId }) => envId,
  )
  await Promise.all(Array.from(stacks, ([env, of]) => lookAt(ctx, env, of).catch(failed(env))))
}
