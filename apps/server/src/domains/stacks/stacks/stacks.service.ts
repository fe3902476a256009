import { type Demand, sum, worseOf } from '@gantry/contract/stacks/demand'
import type { Stack } from '@gantry/contract/stacks/stacks'
import type { Amount } from '@gantry/contract/quotas/quotas'
import type { StackState } from '@gantry/contract/stacks/states'
import { namespacesInUseTopic } from '@gantry/contract/clusters/topics'
import { stacksTopic } from '@gantry/contract/stacks/topics'
import { mustBeMadeOn, revisionOf } from '../../../db/revision.ts'
import { note } from '../../../kernel/audit.ts'
import { Fault, mustConfirm, mustExist } from '../../../kernel/fault.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { holdNamespace, mustUse } from '../../clusters/public.ts'
import { getProduct } from '../../products/public.ts'
import { excess, excessVars, mustFit, usedIn } from '../../quotas/public.ts'
import { freeNamespace, mustBeUnowned } from '../reconcile/namespace.service.ts'
import { sayReasonTo } from '../../../kernel/phrase.ts'
import { besides, isOpen } from '../copies/copy.ts'
import { type SizedService, sizedServicesOf } from '../services/services.store.ts'
import { serviceTypes } from '../services/types/workload-types.ts'
import { unsettledStacks } from '../reconcile/reconciling.ts'
import {
  deleteStack,
  findStack,
  findStackByName,
  insertStack,
  lockStack,
  markDeleting,
  setStackState,
  type StackKey,
  type StackRow,
  updateStack,
} from './stacks.store.ts'

/** A stack of the team (and in the environment, if one is given), or 404. */
export async function getStack(ctx: Ctx, teamId: number, value: StackKey, environment?: string): Promise<StackRow> {
  const stack = await findStack(ctx.db, value)
  if (stack?.teamId !== teamId || (environment !== undefined && stack.envId !== environment))
    throw new Fault('missing', 'resource-missing')
  return stack
}

/** A stack of the team by its name in an environment, or 404. */
export async function getStackByName(ctx: Ctx, teamId: number, clusterId: string, name: string): Promise<StackRow> {
  return mustExist(await findStackByName(ctx.db, teamId, clusterId, name))
}

type Taking = Omit<SizedService, 'id' | 'stackId'>

/** What a service takes of its stack's share, including what it may return to, its copy, and pods that still run. */
export function takenBy({ type, spec, previous, outgoing, copy }: Taking): Demand {
  const { demand } = serviceTypes[type]
  const now = previous ? worseOf(demand(spec), demand(previous.spec)) : demand(spec)
  return worseOf(isOpen(copy) ? sum(now, besides(copy, spec)) : now, outgoing)
}

/** The most that the stack's services may use; a service that is being deleted counts until it is gone. */
export async function usedBy(ctx: Ctx, stackId: number, except?: number): Promise<Demand> {
  return takenByAll((await sizedServicesOf(ctx.db, [stackId])).filter(({ id }) => id !== except))
}

function takenByAll(services: readonly Taking[]): Demand {
  const total = { cpu: 0, memory: 0 }
  for (const service of services) {
    const { cpu, memory } = takenBy(service)
    total.cpu += cpu
    total.memory += memory
  }
  return total
}

const nothing: Demand = { cpu: 0, memory: 0 }

const rounded = (value: number) => Math.round(value * 1000) / 1000

/** `services`: all of the stack's, if the caller has read them. */
export const shownStack = async (ctx: Ctx, row: StackRow, services?: readonly Taking[]): Promise<Stack> =>
  toStack(ctx, row, services ?? (await sizedServicesOf(ctx.db, [row.id])))

export async function shownStacks(ctx: Ctx, rows: readonly StackRow[]): Promise<Stack[]> {
  const all = await sizedServicesOf(
    ctx.db,
    rows.map(({ id }) => id),
  )
  const services = Map.groupBy(all, ({ stackId }) => stackId)
  return rows.map((row) => toStack(ctx, row, services.get(row.id) ?? []))
}

/** Of what an edit changes. */
const stackRevision = ({ description, productId }: Pick<StackRow, 'description' | 'productId'>): string =>
  revisionOf([description, productId])

function toStack(ctx: Ctx, row: StackRow, services: readonly Taking[]): Stack {
  const used = takenByAll(services)
  const { reason, cpu, memory, actor: _, teamName: __, ...rest } = row
  return {
    ...rest,
    message: sayReasonTo(ctx, reason),
    quota: { cpu, memory },
    revision: stackRevision(row),
    used: { cpu: rounded(used.cpu), memory: rounded(used.memory) },
  }
}

export async function publishStack(
  ctx: Ctx,
  { id: stackId, teamId }: { id: number; teamId: number },
  state: StackState | 'deleted',
): Promise<void> {
  await publish(ctx, stacksTopic, { teamId }, { stackId, state })
  await publish(ctx, namespacesInUseTopic, { teamId })
}

export interface NewStack {
  name: string
  description: string
  envId: string
  productId: number | null
  quota: Amount
}

/** A namespace of the cluster that belongs to nobody, and becomes the stack's unchanged. */
interface FoundNamespace {
  name: string
  uid: string
}

/**
 * Creates a stack: a namespace with its share of the quota, isolated from other teams. The cluster is updated right
 * after.
 */
export const createStack = (ctx: Ctx, teamId: number, input: NewStack, found?: FoundNamespace): Promise<Stack> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: input.name, after: input })
    await mustUse(ctx, input.envId, teamId, { hold: true })
    if (input.productId !== null) await getProduct(ctx, teamId, input.productId)
    await mustFit(ctx, { teamId, environment: input.envId, wanted: input.quota })
    const namesake = await findStackByName(ctx.db, teamId, input.envId, input.name)
    if (namesake)
      throw new Fault('conflict', namesake.state === 'deleting' ? 'stacks-name-leaving' : 'stacks-name-taken', {
        name: input.name,
      })
    const id = await insertStack(ctx.db, {
      teamId,
      environment: input.envId,
      productId: input.productId,
      name: input.name,
      description: input.description,
      namespace: found
        ? await mustBeUnowned(ctx, { namespace: found.name, environment: input.envId, teamId })
        : await freeNamespace(ctx, { teamId, name: input.name, environment: input.envId }),
      quota: input.quota,
      actor: ctx.actor.name,
    })
    const made = await getStack(ctx, teamId, id)
    if (found) await holdNamespace(ctx.db, made, found.uid)
    await publishStack(ctx, made, 'creating')
    unsettledStacks.wakeAfterCommit(ctx)
    return shownStack(ctx, made)
  })

export const changeStack = (
  ctx: Ctx,
  teamId: number,
  value: StackKey,
  { revision, ...input }: { description: string; productId: number | null; revision?: string | undefined },
): Promise<Stack> =>
  inTx(ctx, async (ctx) => {
    const { id, name } = await getStack(ctx, teamId, value)
    const stack = mustExist(await lockStack(ctx.db, id))
    const { description, productId } = stack
    note(ctx, { object: name, before: { description, productId }, after: input })
    mustBeMadeOn(stackRevision(stack), revision)
    if (input.productId !== null) await getProduct(ctx, teamId, input.productId)
    await updateStack(ctx.db, id, input)
    await publishStack(ctx, stack, stack.state)
    return shownStack(ctx, await getStack(ctx, teamId, id))
  })

/** A stack by its name; uuid and team must match if given, because the name may belong to another stack by now. */
interface NamedStack {
  teamId: number
  envId: string
  stackName: string
  stackUUID?: string | undefined
  tenantName?: string | undefined
}

/** Sets a share, never below what runs in the stack, and never above what the team has left. */
export async function setStackQuota(
  ctx: Ctx,
  { teamId, envId: environment, stackName: name, stackUUID, tenantName }: NamedStack,
  quota: Amount,
): Promise<Stack> {
  const found = await findStackByName(ctx.db, teamId, environment, name)
  const isMeant = found && (stackUUID ?? found.uuid) === found.uuid && (tenantName ?? found.teamName) === found.teamName
  if (!isMeant) throw new Fault('missing', 'resource-missing')
  const { id, namespace } = found
  // Read before the locks, as for a team's quota: only the cluster knows pods that are being deleted, and what others
  // started there. If it does not answer, the limit is what the services may use.
  const place = { envUuid: environment, namespace }
  const running = (await usedIn(ctx, [place]))(place)
  return inTx(ctx, async (ctx) => {
    note(ctx, { object: name, after: quota })
    await mustFit(ctx, { teamId, environment, stackId: id, wanted: quota })
    const locked = await lockStack(ctx.db, id)
    if (!locked || locked.state === 'deleting') throw new Fault('conflict', 'stacks-being-deleted', { name })
    note(ctx, { before: { cpu: locked.cpu, memory: locked.memory } })
    const over = excess(quota, await usedBy(ctx, id), nothing)
    if (over) throw new Fault('conflict', `stacks-share-below-use-${over.resource}`, excessVars(over))
    const beyond = running && excess(quota, running, nothing)
    if (beyond) throw new Fault('conflict', `stacks-share-below-running-${beyond.resource}`, excessVars(beyond))
    await updateStack(ctx.db, id, { quota })
    // the namespace's quota is updated by applying the stack again
    await setStackState(ctx.db, id, 'creating')
    await publishStack(ctx, found, 'creating')
    unsettledStacks.wakeAfterCommit(ctx)
    return shownStack(ctx, await getStack(ctx, teamId, id))
  })
}

/**
 * Deletes a stack with everything in its namespace. `forget`: even if the cluster no longer answers. One of several
 * concurrent calls deletes, and the others get that it is being deleted.
 */
export const removeStack = (
  ctx: Ctx,
  teamId: number,
  clusterId: string,
  value: StackKey,
  { forget, confirm }: { forget: boolean; confirm?: string },
): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const stack = await getStack(ctx, teamId, value, clusterId)
    const { namespace, cpu, memory } = stack
    mustConfirm(confirm, stack.name)
    note(ctx, {
      object: stack.name,
      before: { namespace, cpu, memory },
      after: forget ? { forgotten: true } : undefined,
    })
    const done = await (forget ? deleteStack(ctx.db, stack.id) : markDeleting(ctx.db, stack.id))
    if (!done) throw new Fault('conflict', 'stacks-being-deleted', { name: stack.name })
    await publishStack(ctx, stack, forget ? 'deleted' : 'deleting')
    unsettledStacks.wakeAfterCommit(ctx)
    return null
  })
