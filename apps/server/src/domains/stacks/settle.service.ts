import { isKube } from '../../adapters/kube/errors.ts'
import { kubeFault } from '../../adapters/kube/faults.ts'
import { podRow } from '../../adapters/kube/pod-row.ts'
import type { Cluster } from '../../adapters/kube/pool.ts'
import * as kinds from '../../adapters/kube/resources.ts'
import { deploymentRow } from '../../adapters/kube/workload-rows.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { type Reason, reasonOf } from '../../kernel/reason.ts'
import { clusterOf } from '../clusters/public.ts'
import { registryAccess, registryHost, usableRegistry } from '../images/public.ts'
import { claimNamespace, removeNamespace } from './namespace.service.ts'
import {
  namespaceObject,
  networkPolicy,
  placeOf,
  resourceQuota,
  teamRole,
  teamRoleBinding,
} from './namespace-objects.ts'
import { identityOf, labels } from './naming.ts'
import { observe, type Seen } from './observe.ts'
import { withSecrets } from './secret-values.ts'
import {
  environmentSecret,
  pullSecret,
  pullSecretName,
  secretName,
  serviceDeployment,
  serviceObject,
  serviceOf,
} from './service-objects.ts'
import {
  deleteService,
  findService,
  forgetApplied,
  holdService,
  noteApplied,
  noteObserved,
  noteRevisionDigest,
  releaseService,
  type Round,
  type ServiceRow,
} from './services.store.ts'
import { tellService } from './services.service.ts'
import { settling } from './settling.ts'
import { deleteStack, findStack, noteSettled, releaseStack, type StackRow } from './stacks.store.ts'
import { tellStack } from './stacks.service.ts'
import { nextServiceState } from './states.ts'

/** How soon to look again: while the cluster is at work, and after it did not answer. */
const lookMs = 250
const outageMs = 5000

/** A cluster's refusal as a reason to keep; undefined where asking again may help. */
function lastingReason(error: unknown): Reason | undefined {
  if (!isKube(error, 'invalid', 'forbidden', 'quota', 'policy')) return undefined
  return clusterReason(error)
}

/** A cluster's failure as a reason to keep; undefined for what is none. */
function clusterReason(error: unknown): Reason | undefined {
  const fault = kubeFault(error)
  return fault instanceof Fault ? reasonOf(fault) : undefined
}

/** Tells a cluster of a stack: its namespace with quota, policies and roles, or that it is to go. Can be repeated at any point. */
export async function settleStack(ctx: Ctx, id: number): Promise<void> {
  const stack = await findStack(ctx.db, id)
  if (!stack) return
  try {
    const { kube } = await clusterOf(ctx, stack.envId)
    if (stack.state === 'deleting') {
      if (!(await removeNamespace(kube, stack))) {
        await releaseStack(ctx.db, id, lookMs * 2)
        return
      }
      await inTx(ctx, async (ctx) => {
        await deleteStack(ctx.db, id)
        await tellStack(ctx, stack, 'deleted')
      })
      return
    }
    if (!(await claimNamespace(ctx, kube, stack))) {
      await releaseStack(ctx.db, id, 0)
      settling.tell(ctx)
      return
    }
    await kube.apply(kinds.namespaces, namespaceObject(placeOf(stack)))
    await Promise.all([
      kube.apply(kinds.resourceQuotas, resourceQuota(placeOf(stack), stack)),
      kube.apply(kinds.networkPolicies, networkPolicy(placeOf(stack))),
      kube.apply(kinds.roles, teamRole(placeOf(stack))),
      kube.apply(kinds.roleBindings, teamRoleBinding(placeOf(stack))),
    ])
    await inTx(ctx, async (ctx) => {
      if (await noteSettled(ctx.db, stack, 'running')) await tellStack(ctx, stack, 'running')
      settling.tell(ctx)
    })
  } catch (error) {
    const lasting = lastingReason(error)
    ctx.log.warn({ err: error, stack: id }, 'a stack was not settled')
    if (lasting && stack.state === 'creating')
      await inTx(ctx, async (ctx) => {
        if (await noteSettled(ctx.db, stack, 'failed', lasting)) await tellStack(ctx, stack, 'failed')
      })
    else {
      const asBefore = await noteSettled(ctx.db, stack, stack.state, clusterReason(error) ?? null)
      if (asBefore) await releaseStack(ctx.db, id, outageMs)
    }
  }
}

async function pullSecretOf(ctx: Ctx, stack: StackRow, service: ServiceRow) {
  const { registryId } = service.spec
  if (registryId === null) return undefined
  const registry = await usableRegistry(ctx, stack.teamId, registryId)
  const { username, password } = await registryAccess(ctx, stack.teamId, registryId)
  return username === '' ? undefined : { id: registryId, host: registryHost(registry), username, password }
}

/** Writes one after another for as long as this round may. False where it ended before the last. */
async function inTurn(mayWrite: () => Promise<boolean>, writes: (() => Promise<unknown>)[]): Promise<boolean> {
  for (const write of writes) {
    if (!(await mayWrite())) return false
    await write()
  }
  return true
}

/** Applies what is wanted, in the name of who asked for it, so that the cluster checks the team's rights too. */
async function apply(
  ctx: Ctx,
  cluster: Cluster,
  stack: StackRow,
  service: ServiceRow,
  mayWrite: () => Promise<boolean>,
): Promise<boolean> {
  const kube = cluster.kube.as(identityOf(stack.teamId, service.actor))
  const pull = await pullSecretOf(ctx, stack, service)
  const spec = withSecrets(ctx, service)
  const named = serviceOf(placeOf(stack), service, pull && pullSecretName(pull.id))
  const secret = environmentSecret(named, spec)
  const front = serviceObject(named, spec)
  const ref = { name: service.name, namespace: stack.namespace }
  return inTurn(mayWrite, [
    ...(pull ? [() => kube.apply(kinds.secrets, pullSecret(named, pull))] : []),
    ...(secret ? [() => kube.apply(kinds.secrets, secret)] : []),
    () => kube.apply(kinds.deployments, serviceDeployment(named, spec)),
    () => (front ? kube.apply(kinds.services, front) : kube.remove(kinds.services, ref)),
    ...(secret ? [] : [() => kube.remove(kinds.secrets, { ...ref, name: secretName(service.name) })]),
    () => noteApplied(ctx.db, service.id, service.generation),
  ])
}

async function look({ kube }: Cluster, stack: StackRow, service: ServiceRow): Promise<Seen> {
  const ref = { name: service.name, namespace: stack.namespace }
  const deployment = deploymentRow(await kube.get(kinds.deployments, ref))
  const pods = await kube.list(kinds.pods, {
    namespace: stack.namespace,
    labels: `${labels.service}=${service.id},${labels.revision}=${service.podRevision}`,
  })
  return observe(
    deployment,
    pods.items.map(podRow).filter((pod) => pod.deleting === undefined),
  )
}

/** Deletes what a service has in the cluster. True once nothing is left. */
async function clear(
  { kube }: Cluster,
  stack: StackRow,
  service: ServiceRow,
  mayWrite: () => Promise<boolean>,
): Promise<boolean> {
  const as = kube.as(identityOf(stack.teamId, service.actor))
  const ref = { name: service.name, namespace: stack.namespace }
  let left = true
  const wrote = await inTurn(mayWrite, [
    () => as.remove(kinds.services, ref),
    () => as.remove(kinds.secrets, { ...ref, name: secretName(service.name) }),
    async () => {
      left = await as.remove(kinds.deployments, ref, { dependants: 'Foreground' })
    },
  ])
  return wrote && !left
}

/** One step of a service towards what is wanted: apply what the cluster does not know, look, and note what it comes to. */
export async function settleService(ctx: Ctx, round: Round): Promise<void> {
  const { id } = round
  const service = await findService(ctx.db, id)
  const stack = service && (await findStack(ctx.db, service.stackId))
  if (!service || stack?.state !== 'running') return
  const { generation } = service
  const mayWrite = () => holdService(ctx.db, round, generation)
  let againMs = lookMs
  try {
    const cluster = await clusterOf(ctx, stack.envId)
    if (service.state === 'deleting') {
      if (await clear(cluster, stack, service, mayWrite))
        await inTx(ctx, async (ctx) => {
          await deleteService(ctx.db, id)
          await tellService(ctx, stack, id, 'deleted')
        })
    } else if (service.applied >= generation || (await apply(ctx, cluster, stack, service, mayWrite)))
      againMs = await conclude(ctx, stack, service, await look(cluster, stack, service))
  } catch (error) {
    const lasting = lastingReason(error)
    ctx.log.warn({ err: error, service: id }, 'a service was not settled')
    if (lasting)
      againMs = await conclude(ctx, stack, service, { outcome: 'hopeless', reason: null, digest: undefined }, lasting)
    else {
      await noteObserved(ctx.db, id, generation, { state: service.state, reason: clusterReason(error) ?? null })
      // the deployment was deleted behind our back: it is applied again
      if (isKube(error, 'missing')) await forgetApplied(ctx.db, id)
      else againMs = outageMs
    }
  }
  await releaseService(ctx.db, round, generation, againMs)
}

/** Notes what was seen. How soon to look again: what has come to its end waits for nothing. */
async function conclude(ctx: Ctx, stack: StackRow, service: ServiceRow, seen: Seen, refusal?: Reason): Promise<number> {
  const event = seen.outcome === 'ready' ? 'settled' : seen.outcome === 'hopeless' ? 'gaveUp' : undefined
  const state = event && nextServiceState(service.state, event)
  const reason = refusal ?? seen.reason
  await inTx(ctx, async (ctx) => {
    const known = state ?? service.state
    const current = await noteObserved(ctx.db, service.id, service.generation, {
      state: known,
      reason,
      ...(event === 'settled' ? { digest: seen.digest } : {}),
      settled: event === 'settled',
      // a plain deployment leaves nothing to return to
      forgetPrevious: state === 'stable',
    })
    if (current && event === 'settled' && seen.digest)
      await noteRevisionDigest(ctx.db, service.id, service.revision, seen.digest)
    const changed = known !== service.state || JSON.stringify(reason) !== JSON.stringify(service.reason)
    if (current && changed) await tellService(ctx, stack, service.id, known)
  })
  return state ? 0 : lookMs
}
