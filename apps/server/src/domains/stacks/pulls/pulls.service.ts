import type { SynchronizedNamespace } from '@gantry/contract/harbor/pull-secrets'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { visibleTeams } from '../../../identity/access.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, scoped } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type Reason, reasonOf, sayReasonTo } from '../../../kernel/phrase.ts'
import { clusterOf } from '../../clusters/public.ts'
import { pullCredential } from '../../images/public.ts'
import { placeOf } from '../reconcile/namespace-objects.ts'
import { pullSecret, pullSecretName } from '../services/objects/service-objects.ts'
import { identityOf } from '../stacks/naming.ts'
import { findStacks, type StackRow } from '../stacks/stacks.store.ts'
import {
  changedStacks,
  duePullSecrets,
  failedStacks,
  forgetChanges,
  namespacesWithSecrets,
  noteApplied,
  noteProblem,
  noteRemoved,
  type PullSecretDue,
} from './pulls.store.ts'

/*
 * Pull secrets in the namespaces of stacks: renewed after a change of a password, robot or assignment, and removed with
 * it, even if no service is deployed meanwhile. Each step can be repeated.
 */

async function bring(ctx: Ctx, stack: StackRow, due: PullSecretDue): Promise<void> {
  const { kube } = await clusterOf(ctx, stack.envId)
  const as = kube.as(identityOf(stack.teamId, stack.actor))
  const { registryId } = due
  if (due.fingerprint === null) {
    await as.remove(kinds.secrets, { name: pullSecretName(registryId), namespace: stack.namespace })
    await noteRemoved(ctx.db, due)
    return
  }
  const credential = await pullCredential(ctx, stack.teamId, registryId)
  if (credential) await as.apply(kinds.secrets, pullSecret(placeOf(stack), credential))
  await noteApplied(ctx.db, due)
}

/** Whether the cluster itself failed, so that its other namespaces need not be tried now. */
const ofCluster = ({ kind }: Fault): boolean => kind === 'unavailable' || kind === 'badGateway'

const faultOf = (error: unknown): Fault => {
  const fault = kubeFault(error)
  if (fault instanceof Fault) return fault
  throw error
}

/** Handles the namespaces of each cluster in order, but clusters in parallel: an unreachable one delays no other. */
async function bringAll(ctx: Ctx, due: PullSecretDue[]): Promise<Map<number, Reason>> {
  const problems = new Map<number, Reason>()
  const stacks = new Map(
    (await findStacks(ctx.db, [...new Set(due.map(({ stackId }) => stackId))])).map((s) => [s.id, s]),
  )
  const byCluster = Map.groupBy(due, ({ stackId }) => stacks.get(stackId)?.envId ?? '')
  await Promise.all(
    [...byCluster].map(async ([, ofOne]) => {
      let dead: Reason | undefined
      for (const one of ofOne) {
        const stack = stacks.get(one.stackId)
        if (!stack || ctx.signal.aborted) continue
        const own = scoped(ctx)
        try {
          if (dead === undefined) await bring(own, stack, one)
          else problems.set(one.stackId, dead)
        } catch (error) {
          const fault = faultOf(error)
          const reason = reasonOf(fault)
          if (ofCluster(fault)) dead = reason
          problems.set(one.stackId, reason)
          await noteProblem(ctx.db, one, reason)
          own.log.warn({ err: error, namespace: stack.namespace }, 'a right to pull is not brought yet')
        }
      }
    }),
  )
  return problems
}

/** Renews what has changed, and what failed before. If nothing did, this costs only two index lookups. */
export async function renewPullSecrets(ctx: Ctx): Promise<void> {
  const { marks, stacks } = await changedStacks(ctx.db)
  const due = [...stacks, ...(await failedStacks(ctx.db))]
  if (due.length === 0) return
  await bringAll(ctx, await duePullSecrets(ctx.db, { stacks: due }))
  // a run that was interrupted leaves the rest to the next
  if (!ctx.signal.aborted) await forgetChanges(ctx.db, marks)
}

/** Renews all at once, including what somebody changed in a cluster, for the teams where the caller may. */
export async function synchronizePullSecrets(ctx: Ctx): Promise<SynchronizedNamespace[]> {
  const teams = await visibleTeams(ctx, 'image_harbor_operate')
  const problems = await bringAll(ctx, await duePullSecrets(ctx.db, { teams }))
  const namespaces = await namespacesWithSecrets(ctx.db, teams)
  note(ctx, { object: [...new Set(namespaces.map(({ team }) => team))].join(', ') || '–' })
  return namespaces.map(({ id, ...namespace }) => ({
    ...namespace,
    done: !problems.has(id),
    problem: sayReasonTo(ctx, problems.get(id) ?? null),
  }))
}
