import { isDeepStrictEqual } from 'node:util'
import type { ServiceState, StackState } from '@gantry/contract/stacks/states'
import { waysTopic } from '@gantry/contract/stacks/topics'
import type { Kube } from '../../../adapters/kube/client.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type Reason, reasonOf } from '../../../kernel/phrase.ts'
import { reconciler, type Round } from '../../../kernel/reconcile.ts'
import { clusterOf } from '../../clusters/public.ts'
import { endingReason, whatHolds } from './holding.service.ts'
import { loseNamespace, namespaceReason } from './missing.service.ts'
import { claimNamespace, removeNamespace, namespaceOwner } from './namespace.service.ts'
import {
  namespaceObject,
  networkPolicy,
  placeOf,
  resourceQuota,
  teamRole,
  teamRoleBinding,
} from './namespace-objects.ts'
import { isOpen, type StoredCopy } from '../copies/copy.ts'
import { reconcileCopy } from '../copies/reconcile-copy.ts'
import { routesTo } from '../copies/ways-in.service.ts'
import type { Seen } from './observe.ts'
import { deleteService, forgetApplied, noteObserved } from '../services/changes.store.ts'
import { awaitedBy, findService, type ServiceRow } from '../services/services.store.ts'
import { noteRevisionDigest } from '../revisions/revisions.store.ts'
import { applyAgain, publishService } from '../services/services.service.ts'
import { scaledServices } from '../scaling/scaling.store.ts'
import { unsettledServices, unsettledStacks } from './reconciling.ts'
import { tellOutcome } from '../services/outcome.service.ts'
import { deleteStack, findStack, noteReconciled, type StackRow } from '../stacks/stacks.store.ts'
import { publishStack } from '../stacks/stacks.service.ts'
import { noteAddresses } from '../outward/claims.store.ts'
import { nextServiceState, settledAs } from '../services/states.ts'
import { workloadOf } from '../services/types/workload-types.ts'
import { applyService, clearService } from './apply.service.ts'

/** When to look again: while the cluster is working; while it waits for others; and after it did not answer. */
const pollMs = 250
const waitMs = 2000
const outageMs = 5000

/** The outcome for a service that the cluster refuses. */
const unseen: Seen = { outcome: 'hopeless', reason: null, digest: undefined }

/** Whether the cluster refused, and would refuse a retry too. */
const isLasting = (error: unknown): boolean => isKube(error, 'invalid', 'forbidden', 'quota', 'policy')

/** The reason to store for a cluster's failure; undefined for other errors. */
function clusterReason(error: unknown): Reason | undefined {
  const fault = kubeFault(error)
  return fault instanceof Fault ? reasonOf(fault) : undefined
}

/** Deletes the stack's volumes, which are in no namespace. An account that may not delete volumes has created none. */
const removeVolumes = (kube: Kube, stack: StackRow): Promise<void> =>
  kube.removeAll(kinds.persistentVolumes, { labels: `${labels.stack}=${stack.uuid}` }).catch((error: unknown) => {
    if (!isKube(error, 'forbidden')) throw error
  })

/** Reconciles a stack: its namespace with quota, policies and roles, or its deletion. */
async function reconcileStack(ctx: Ctx, { id }: { id: number }, round: Round): Promise<number> {
  const stack = await findStack(ctx.db, id)
  if (!stack) return 0
  const become = async (state: StackState, reason: Reason | null) => {
    if (state === stack.state && isDeepStrictEqual(reason, stack.reason)) return
    await round.note(async (ctx) => {
      await noteReconciled(ctx.db, stack, state, reason)
      await publishStack(ctx, stack, state)
      if (state !== 'running') return
      unsettledServices.wakeAfterCommit(ctx)
      scaledServices.wakeAfterCommit(ctx)
    })
  }
  try {
    const { kube } = await clusterOf(ctx, stack.envId)
    if (stack.state === 'deleting') {
      const left = await removeNamespace(ctx, kube, stack)
      if (left) {
        const holds = await whatHolds(kube, left)
        await become('deleting', holds)
        return holds ? waitMs : pollMs * 2
      }
      await removeVolumes(kube, stack)
      await round.note(async (ctx) => {
        await deleteStack(ctx.db, id)
        await publishStack(ctx, stack, 'deleted')
      })
      return 0
    }
    if (!(await round.mayWrite())) return 0
    const claim = await claimNamespace(ctx, kube, stack)
    if (claim === 'leaving') {
      await become(stack.state, await endingReason(kube, stack.namespace, 'stacks-namespace-awaited'))
      return waitMs
    }
    if (claim === 'moved') return 0
    const place = placeOf(stack)
    const applied = await round.inTurn([
      () => kube.apply(kinds.namespaces, namespaceObject(place)),
      () =>
        Promise.all([
          kube.apply(kinds.resourceQuotas, resourceQuota(place, stack)),
          kube.apply(kinds.networkPolicies, networkPolicy(place)),
          kube.apply(kinds.roles, teamRole(place)),
          kube.apply(kinds.roleBindings, teamRoleBinding(place, teamRole(place))),
        ]),
    ])
    if (applied) await become('running', null)
    return 0
  } catch (error) {
    const reason = clusterReason(error)
    if (!reason) throw error
    ctx.log.warn({ err: error, stack: id }, 'a stack was not settled')
    const lasts = isLasting(error) && stack.state === 'creating'
    await become(lasts ? 'failed' : stack.state, reason)
    return outageMs
  }
}

/**
 * Why a service is not started yet: a service that it requires is not ready. Only its first start and a release of the
 * whole stack wait; other changes of a running service do not.
 */
async function waitsFor(ctx: Ctx, service: ServiceRow): Promise<Reason | undefined> {
  const { state, applied, releaseId, requires } = service
  const isOrdered = (state === 'deploying' && applied === 0) || (state === 'upgrading' && releaseId !== null)
  const awaited = isOrdered && requires.length > 0 ? await awaitedBy(ctx.db, service) : []
  if (awaited.length === 0) return undefined
  const failed = awaited.filter((one) => one.state === 'failed')
  const services = (failed.length > 0 ? failed : awaited).map(({ name }) => name).join(', ')
  return { key: failed.length > 0 ? 'stacks-waits-for-failed' : 'stacks-waits-for', vars: { services } }
}

/**
 * One step of a service towards its specification: apply what the cluster does not have, look, and store the outcome.
 */
async function reconcileService(ctx: Ctx, { id }: { id: number }, round: Round): Promise<number> {
  const service = await findService(ctx.db, id)
  const stack = service && (await findStack(ctx.db, service.stackId))
  if (!service || stack?.state !== 'running') return 0
  const { generation } = service
  const deleting = service.state === 'deleting'
  try {
    const cluster = await clusterOf(ctx, stack.envId)
    const { whose } =
      deleting || service.applied < generation
        ? await namespaceOwner(ctx, cluster.kube, stack)
        : { whose: 'ours' as const }
    if (whose !== 'ours') {
      // its objects were deleted with the namespace
      const reason = await namespaceReason(cluster.kube, stack, whose)
      if (!deleting) await conclude(round, stack, service, unseen, reason)
      await loseNamespace(ctx, stack, reason)
    }
    if (deleting) {
      if (whose === 'ours' && !(await clearService(cluster, stack, service, round))) return pollMs
      await round.note(async (ctx) => {
        const ways = isOpen(service.copy) ? await routesTo(ctx.db, service) : []
        await deleteService(ctx.db, id)
        await publishService(ctx, stack, id, 'deleted')
        // these no longer lead to its copy
        await applyAgain(
          ctx,
          ways.map((way) => way.id),
        )
      })
      return 0
    }
    if (whose !== 'ours') return 0
    if (isOpen(service.copy)) {
      const done = await reconcileCopy({ ctx, cluster, stack, service, copy: service.copy, round })
      return 'again' in done ? done.again : await conclude(round, stack, service, done.seen)
    }
    if (service.applied < generation) {
      const awaited = await waitsFor(ctx, service)
      if (awaited) {
        await conclude(round, stack, service, { ...unseen, outcome: 'waiting' }, awaited)
        return pollMs * 2
      }
      const done = await applyService(ctx, cluster, stack, service, round)
      if (done !== 'applied') return done === 'later' ? pollMs : 0
    }
    const seen = await workloadOf(service).observe(cluster.kube, { ...placeOf(stack), ...service })
    return await conclude(round, stack, service, seen)
  } catch (error) {
    const reason = clusterReason(error)
    if (!reason) throw error
    ctx.log.warn({ err: error, service: id }, 'a service was not settled')
    if (isLasting(error)) return conclude(round, stack, service, unseen, reason)
    // others deleted its workload: apply it again
    const isMissing = isKube(error, 'missing')
    await round.note(async (ctx) => {
      await noteObserved(ctx.db, id, generation, { state: service.state, reason })
      if (isMissing) await forgetApplied(ctx.db, id)
    })
    return isMissing ? pollMs : outageMs
  }
}

const endOf = (copy: StoredCopy, from: ServiceState): StoredCopy => ({
  ...copy,
  ended: from === 'confirming' ? 'confirmed' : copy.why ? 'taken-back' : 'returned',
})

/** Stores the outcome. Returns when to look again; a final outcome needs no pause. */
async function conclude(
  round: Round,
  stack: StackRow,
  service: ServiceRow,
  seen: Seen,
  refusal?: Reason,
): Promise<number> {
  const isReady = seen.outcome === 'ready'
  const event = isReady ? settledAs(service.spec) : seen.outcome === 'hopeless' ? 'gaveUp' : undefined
  const state = event && nextServiceState(service.state, event)
  const reason = refusal ?? seen.reason
  const known = state ?? service.state
  // the pinned digest is what a rollback returns to, though hosts may report that of their own platform
  const runs = service.podDigest || seen.digest
  const isWhole = state === 'stable' || state === 'stopped'
  const changed = known !== service.state || JSON.stringify(reason) !== JSON.stringify(service.reason)
  if (!event && !changed) return pollMs
  await round.note(async (ctx) => {
    await noteObserved(ctx.db, service.id, service.generation, {
      state: known,
      reason,
      ...(isReady && runs ? { digest: runs } : {}),
      settled: isReady,
      // after a plain deployment there is nothing to return to
      forgetPrevious: isWhole,
      ...(isWhole && isOpen(service.copy) ? { copy: endOf(service.copy, service.state) } : {}),
    })
    if (isReady && seen.addresses) {
      await noteAddresses(ctx.db, service.id, seen.addresses)
      await publish(ctx, waysTopic, {})
    }
    if (isReady && runs) await noteRevisionDigest(ctx.db, service, runs)
    if (changed) await publishService(ctx, stack, service.id, known, service.state)
    if (known !== service.state) await tellOutcome(ctx, stack, service, known)
  })
  return state ? 0 : pollMs
}

export const stackReconciler = reconciler(unsettledStacks, reconcileStack)
export const serviceReconciler = reconciler(unsettledServices, reconcileService)
