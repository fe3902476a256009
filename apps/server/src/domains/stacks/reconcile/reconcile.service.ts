import type { StackState } from '@gantry/contract/stacks/states'
import { isKube } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type Reason, reasonOf } from '../../../kernel/phrase.ts'
import { reconciler, type Round } from '../../../kernel/reconcile.ts'
import { clusterOf } from '../../clusters/public.ts'
import { pullCredential } from '../../images/public.ts'
import { loseNamespace, namespaceReason } from './missing.service.ts'
import { claimNamespace, removeNamespace, whoseNamespace } from './namespace.service.ts'
import {
  namespaceObject,
  networkPolicy,
  placeOf,
  resourceQuota,
  teamRole,
  teamRoleBinding,
} from './namespace-objects.ts'
import { identityOf } from '../stacks/naming.ts'
import type { Seen } from './observe.ts'
import { withSecrets } from '../services/secret-values.ts'
import { pullSecret, pullSecretName } from '../services/service-objects.ts'
import {
  deleteService,
  findService,
  forgetApplied,
  noteApplied,
  noteObserved,
  noteRevisionDigest,
  type ServiceRow,
} from '../services/services.store.ts'
import { publishService } from '../services/services.service.ts'
import { unsettledServices, unsettledStacks } from './reconciling.ts'
import { tellOutcome } from '../services/outcome.service.ts'
import { deleteStack, findStack, noteReconciled, type StackRow } from '../stacks/stacks.store.ts'
import { publishStack } from '../stacks/stacks.service.ts'
import { nextServiceState } from '../services/states.ts'
import { workloadTypes } from '../services/workload-types.ts'

/** How soon to look again: while the cluster is working, and after it did not answer. */
const lookMs = 250
const outageMs = 5000

/** A service that the cluster refuses. */
const unseen: Seen = { outcome: 'hopeless', reason: null, digest: undefined }

/** A refusal of the cluster that a retry would not change. */
const isLasting = (error: unknown): boolean => isKube(error, 'invalid', 'forbidden', 'quota', 'policy')

/** A cluster's failure as a reason to store; undefined for other errors. */
function clusterReason(error: unknown): Reason | undefined {
  const fault = kubeFault(error)
  return fault instanceof Fault ? reasonOf(fault) : undefined
}

/** Reconciles a stack: its namespace with quota, policies and roles, or its deletion. */
async function reconcileStack(ctx: Ctx, { id }: { id: number }, round: Round): Promise<number> {
  const stack = await findStack(ctx.db, id)
  if (!stack) return 0
  const become = (state: StackState, reason: Reason | null) =>
    round.note(async (ctx) => {
      await noteReconciled(ctx.db, stack, state, reason)
      if (state !== stack.state) await publishStack(ctx, stack, state)
      if (state === 'running') unsettledServices.wakeAfterCommit(ctx)
    })
  try {
    const { kube } = await clusterOf(ctx, stack.envId)
    if (stack.state === 'deleting') {
      if (!(await removeNamespace(ctx, kube, stack))) return lookMs * 2
      await round.note(async (ctx) => {
        await deleteStack(ctx.db, id)
        await publishStack(ctx, stack, 'deleted')
      })
      return 0
    }
    if (!(await round.mayWrite())) return 0
    const claim = await claimNamespace(ctx, kube, stack)
    if (claim !== 'held') return claim === 'leaving' ? lookMs * 2 : 0
    const place = placeOf(stack)
    const applied = await round.inTurn([
      () => kube.apply(kinds.namespaces, namespaceObject(place)),
      () =>
        Promise.all([
          kube.apply(kinds.resourceQuotas, resourceQuota(place, stack)),
          kube.apply(kinds.networkPolicies, networkPolicy(place)),
          kube.apply(kinds.roles, teamRole(place)),
          kube.apply(kinds.roleBindings, teamRoleBinding(place)),
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

async function pullSecretOf(ctx: Ctx, stack: StackRow, service: ServiceRow) {
  const { registryId } = service.spec
  return registryId === null ? undefined : pullCredential(ctx, stack.teamId, registryId)
}

/**
 * Applies the specification in the name of the user who asked for it, so that the cluster checks the team's permissions
 * too.
 */
async function apply(ctx: Ctx, cluster: Cluster, stack: StackRow, service: ServiceRow, round: Round): Promise<boolean> {
  const kube = cluster.kube.as(identityOf(stack.teamId, service.actor))
  const pull = await pullSecretOf(ctx, stack, service)
  const of = { ...placeOf(stack), ...service, pullSecret: pull && pullSecretName(pull.id) }
  const objects = workloadTypes[service.type].objects(of, withSecrets(ctx, service))
  return round.inTurn([
    ...(pull ? [() => kube.apply(kinds.secrets, pullSecret(of, pull))] : []),
    ...objects.flatMap(({ resource, object }) => (object ? [() => kube.apply(resource, object)] : [])),
    // last, when the newest pods ask for them no more
    ...objects
      .filter(({ object }) => object === undefined)
      .toReversed()
      .map(
        ({ resource, name }) =>
          () =>
            kube.remove(resource, { name, namespace: of.namespace }),
      ),
    () => noteApplied(ctx.db, service.id, service.generation),
  ])
}

/** Deletes what a service has in the cluster. True once nothing is left. */
async function clear({ kube }: Cluster, stack: StackRow, service: ServiceRow, round: Round): Promise<boolean> {
  const as = kube.as(identityOf(stack.teamId, service.actor))
  const of = { ...placeOf(stack), ...service }
  const type = workloadTypes[service.type]
  let left = false
  const wrote = await round.inTurn(
    type
      .objects(of, service.spec)
      .toReversed()
      .map(({ resource, name }) => async () => {
        const dependants = resource === type.resource ? 'Foreground' : 'Background'
        if (await as.remove(resource, { name, namespace: of.namespace }, { dependants })) left = true
      }),
  )
  return wrote && !left
}

/**
 * One step of a service towards its specification: apply what the cluster does not have, look, and note the outcome.
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
        ? await whoseNamespace(ctx, cluster.kube, stack)
        : { whose: 'ours' as const }
    if (whose !== 'ours') {
      // its objects went with the namespace
      if (!deleting) await conclude(round, stack, service, unseen, namespaceReason(stack, whose))
      await loseNamespace(ctx, stack, whose)
    }
    if (deleting) {
      if (whose === 'ours' && !(await clear(cluster, stack, service, round))) return lookMs
      await round.note(async (ctx) => {
        await deleteService(ctx.db, id)
        await publishService(ctx, stack, id, 'deleted')
      })
      return 0
    }
    if (whose !== 'ours') return 0
    if (service.applied < generation && !(await apply(ctx, cluster, stack, service, round))) return 0
    const seen = await workloadTypes[service.type].observe(cluster.kube, { ...placeOf(stack), ...service })
    return await conclude(round, stack, service, seen)
  } catch (error) {
    const reason = clusterReason(error)
    if (!reason) throw error
    ctx.log.warn({ err: error, service: id }, 'a service was not settled')
    if (isLasting(error)) return conclude(round, stack, service, unseen, reason)
    // its workload was deleted behind our back: it is applied again
    const isMissing = isKube(error, 'missing')
    await round.note(async (ctx) => {
      await noteObserved(ctx.db, id, generation, { state: service.state, reason })
      if (isMissing) await forgetApplied(ctx.db, id)
    })
    return isMissing ? lookMs : outageMs
  }
}

/** Notes what was seen. Returns how soon to look again: an outcome that is final needs no pause. */
async function conclude(
  round: Round,
  stack: StackRow,
  service: ServiceRow,
  seen: Seen,
  refusal?: Reason,
): Promise<number> {
  const event = seen.outcome === 'ready' ? 'settled' : seen.outcome === 'hopeless' ? 'gaveUp' : undefined
  const state = event && nextServiceState(service.state, event)
  const reason = refusal ?? seen.reason
  const known = state ?? service.state
  const changed = known !== service.state || JSON.stringify(reason) !== JSON.stringify(service.reason)
  if (!event && !changed) return lookMs
  await round.note(async (ctx) => {
    await noteObserved(ctx.db, service.id, service.generation, {
      state: known,
      reason,
      ...(event === 'settled' ? { digest: seen.digest } : {}),
      settled: event === 'settled',
      // a plain deployment leaves nothing to return to
      forgetPrevious: state === 'stable',
    })
    if (event === 'settled' && seen.digest) await noteRevisionDigest(ctx.db, service.id, service.revision, seen.digest)
    if (changed) await publishService(ctx, stack, service.id, known)
    if (known !== service.state) await tellOutcome(ctx, stack, service, known)
  })
  return state ? 0 : lookMs
}

export const stackReconciler = reconciler(unsettledStacks, reconcileStack)
export const serviceReconciler = reconciler(unsettledServices, reconcileService)
