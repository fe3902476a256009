import { isKube } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { clusterOf, mustUse } from '../../clusters/public.ts'

/** Refuses a deployment with Istio to a cluster without Istio. */
export async function mustHaveIstio(ctx: Ctx, teamId: number, clusterId: string): Promise<void> {
  await mustUse(ctx, clusterId, teamId)
  const { kube } = await clusterOf(ctx, clusterId)
  try {
    await kube.list(kinds.virtualServices, {}, { limit: 1 })
  } catch (error) {
    if (isKube(error, 'missing')) throw new Fault('conflict', 'blueprints-no-istio')
    throw kubeFault(error)
  }
}
