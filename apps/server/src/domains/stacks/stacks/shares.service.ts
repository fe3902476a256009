import type { V1ResourceQuota } from '@kubernetes/client-node'
import { labels } from '../../../adapters/kube/labels.ts'
import type { Kube } from '../../../adapters/kube/client.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import type { Wire } from '../../../adapters/kube/objects.ts'
import { quantity } from '../../../adapters/kube/rows/quantity.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { writeSystemAuditRow } from '../../../kernel/audit.ts'
import { type Ctx, scoped } from '../../../kernel/context.ts'
import { clusterOf } from '../../clusters/public.ts'
import { shareName } from '../../quotas/public.ts'
import { placeOf, resourceQuota } from '../reconcile/namespace-objects.ts'
import { namespaceOwner } from '../reconcile/namespace.service.ts'
import { findStack, runningStacks, type StackRow } from './stacks.store.ts'

type Hard = Record<string, string>

const wantedQuota = (stack: StackRow): Wire<V1ResourceQuota> => resourceQuota(placeOf(stack), stack)

/** The cluster normalizes quantities: `2000m` is returned as `2`. */
const isSame = (a: Hard, b: Hard): boolean => {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => quantity(a[name]) === quantity(b[name]))
}

const hardOf = ({ spec }: Wire<V1ResourceQuota>): Hard => spec?.hard ?? {}

async function readQuotas(kube: Kube): Promise<ReadonlyMap<string, Hard>> {
  const found = new Map<string, Hard>()
  for await (const { items } of kube.pages(kinds.resourceQuotas, { labels: `${labels.managedBy}=gantry` }))
    for (const quota of items)
      if (quota.metadata?.name === shareName) found.set(quota.metadata.namespace ?? '', hardOf(quota))
  return found
}

/**
 * Corrects one quota. No lock is held during the write to the cluster: if the share changed meanwhile, this write may
 * have overwritten the newer one, so it is repeated with that.
 */
async function putRight(ctx: Ctx, kube: Kube, id: number, found: Hard | undefined): Promise<void> {
  let stack = await findStack(ctx.db, id)
  if (stack?.state !== 'running' || (found && isSame(found, hardOf(wantedQuota(stack))))) return
  if ((await namespaceOwner(ctx, kube, stack)).whose !== 'ours') return
  for (;;) {
    await kube.apply(kinds.resourceQuotas, wantedQuota(stack))
    const now = await findStack(ctx.db, id)
    if (now === undefined || now.state === 'deleting') return
    const stands = now.cpu === stack.cpu && now.memory === stack.memory
    stack = now
    if (stands) break
  }
  const hard = hardOf(wantedQuota(stack))
  // An apply does not remove resources that others added, so remove them separately.
  const added = Object.keys(found ?? {}).filter((name) => !(name in hard))
  if (added.length > 0)
    await kube.merge(
      kinds.resourceQuotas,
      { name: shareName, namespace: stack.namespace },
      { spec: { hard: Object.fromEntries(added.map((name) => [name, null])) } },
    )
  await writeSystemAuditRow(ctx, {
    action: 'stack.set-quota',
    by: 'stacks-shares',
    object: stack.name,
    before: { hard: found ?? null },
    after: { hard },
  })
}

/** Compares the quota of every running stack on a cluster with its share, and corrects changes that others made. */
async function compareOn(ctx: Ctx, clusterId: string, stacks: readonly StackRow[]): Promise<void> {
  try {
    const { kube } = await clusterOf(ctx, clusterId)
    const quotas = await readQuotas(kube)
    for (const stack of stacks) {
      const found = quotas.get(stack.namespace)
      if (!found || !isSame(found, hardOf(wantedQuota(stack))))
        await putRight(ctx, kube, stack.id, found).catch(leaveForNext(ctx, stack.id))
    }
  } catch (error) {
    leaveForNext(ctx, clusterId)(error)
  }
}

/** The next round retries; a cluster that does not answer is reported elsewhere. */
const leaveForNext = (ctx: Ctx, of: number | string) => (error: unknown) => {
  if (!isKube(error)) throw error
  ctx.log.warn({ err: error, of }, 'shares could not be compared with their quotas')
}

/** Clusters are compared in parallel, so that an unreachable one delays no other. */
export async function compareShares(ctx: Ctx): Promise<void> {
  const stacks = Map.groupBy(await runningStacks(ctx.db), ({ envId }) => envId)
  await Promise.all(Array.from(stacks, ([environment, there]) => compareOn(scoped(ctx), environment, there)))
}
