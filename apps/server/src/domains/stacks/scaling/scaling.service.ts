import { instancesOf } from '@gantry/contract/stacks/scaling/autoscaling'
import { isKube } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { reconciler, type Round } from '../../../kernel/reconcile.ts'
import { clusterOf } from '../../clusters/public.ts'
import { isOpen } from '../copies/copy.ts'
import { publishService } from '../services/services.service.ts'
import { findService } from '../services/services.store.ts'
import { workloadOf } from '../services/types/workload-types.ts'
import { identityOf } from '../stacks/naming.ts'
import { findStack } from '../stacks/stacks.store.ts'
import { currentPeriod, decide, turns } from './decide.ts'
import { measure, unmeasured } from './measure.service.ts'
import { noteScaling, scaledServices } from './scaling.store.ts'

/** When to look again at a service while another change is in progress. */
const soonMs = 1000
const outageMs = 5000

const average = (figures: readonly number[]): number | null =>
  figures.length === 0 ? null : Math.round(figures.reduce((sum, one) => sum + one, 0) / figures.length)

/** One round for an autoscaled service: decides the number of instances, stores it and applies it. */
async function scale(ctx: Ctx, { id }: { id: number }, round: Round): Promise<number> {
  const service = await findService(ctx.db, id)
  const stack = service && (await findStack(ctx.db, service.stackId))
  const scaling = service?.spec.autoscaling
  if (!service || !stack || !scaling || scaling.paused) return soonMs
  // a copy determines its own number of instances, and an unapplied service has none yet
  if (isOpen(service.copy) || service.applied < service.generation) return soonMs
  const { resource } = workloadOf(service)
  if (!resource) return soonMs
  try {
    const { kube } = await clusterOf(ctx, stack.envId)
    const asks = scaling.cpu ?? scaling.memory
    const { use, trouble } = asks ? await measure(kube, stack.namespace, service) : unmeasured
    const now = new Date()
    const before = instancesOf(service.spec, service.instances)
    const { instances, why, low } = decide(scaling, {
      instances: before,
      use,
      low: service.scaling.low,
      period: currentPeriod(scaling, now),
    })
    const last = why ? { at: now.toISOString(), from: before, to: instances, why } : service.scaling.last
    const seen = { low, cpu: average(use.cpu), memory: average(use.memory), last, trouble }
    const isNoted = await round.note(async (ctx) => {
      await noteScaling(ctx.db, id, instances, seen)
      if (why) await publishService(ctx, stack, id, service.state)
    })
    if (!isNoted) return 0
    const ref = { name: service.name, namespace: stack.namespace }
    // if a server died between storing and applying the number, the next round applies it
    const there = await kube.get(resource, ref)
    if (replicasOf(there) !== instances)
      await round.inTurn([
        () => kube.as(identityOf(stack.teamId, service.actor)).merge(resource, ref, { spec: { replicas: instances } }),
      ])
    const { until, next } = turns(scaling, now)
    const turn = Math.min(...[until, next?.at].map((at) => (at ? at.getTime() - now.getTime() : Infinity)))
    return Math.min(scaling.interval * 1000, Math.max(turn, soonMs))
  } catch (error) {
    if (!isKube(error) && !(kubeFault(error) instanceof Fault)) throw error
    ctx.log.warn({ err: error, service: id }, 'a service was not scaled')
    return outageMs
  }
}

const replicasOf = (object: object): unknown =>
  'spec' in object && typeof object.spec === 'object' && object.spec !== null && 'replicas' in object.spec
    ? object.spec.replicas
    : undefined

export const scalingReconciler = reconciler(scaledServices, scale)
