import { sumOf, worseOf } from '@gantry/contract/stacks/demand'
import type { Stack } from '@gantry/contract/stacks/stacks'
import type { Amount } from '@gantry/contract/quotas/quotas'
import { topics } from '@gantry/contract/push/topics'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { emit } from '../../kernel/events.ts'
import { Fault } from '../../kernel/fault.ts'
import { mustUse } from '../clusters/public.ts'
import { getProduct } from '../products/public.ts'
import { excess, excessVars, mustFit } from '../quotas/public.ts'
import { namespaceOf } from './naming.ts'
import { sayReasonTo } from '../../kernel/reason.ts'
import { settling } from './settling.ts'
import {
  deleteStack,
  findStack,
  findStackByName,
  insertStack,
  lockStack,
  setStackState,
  specsOf,
  type StackKey,
  type StackRow,
  updateStack,
} from './stacks.store.ts'

/** A stack of the team (and on the environment, where one is named), or 404. */
export async function getStack(ctx: Ctx, teamId: number, value: StackKey, environment?: string): Promise<StackRow> {
  const stack = await findStack(ctx.db, value)
  if (stack?.teamId !== teamId || (environment !== undefined && stack.envId !== environment))
    throw new Fault('missing', 'resource-missing')
  return stack
}

/** What the stack's services may use at most, upgrades that can still be undone included. */
export async function usedBy(ctx: Ctx, stackId: number, except?: number): Promise<{ cpu: number; memory: number }> {
  const total = { cpu: 0, memory: 0 }
  for (const { id, spec, previous } of await specsOf(ctx.db, stackId)) {
    if (id === except) continue
    const demand = previous ? worseOf(sumOf([spec]), sumOf([previous])) : sumOf([spec])
    total.cpu += demand.cpu
    total.memory += demand.memory
  }
  return total
}

const rounded = (value: number) => Math.round(value * 1000) / 1000

export async function shownStack(ctx: Ctx, row: StackRow): Promise<Stack> {
  const used = await usedBy(ctx, row.id)
  const { reason, cpu, memory, actor: _, teamName: __, ...rest } = row
  return {
    ...rest,
    message: sayReasonTo(ctx, reason),
    quota: { cpu, memory },
    used: { cpu: rounded(used.cpu), memory: rounded(used.memory) },
  }
}

export const tellStack = (ctx: Ctx, stack: { id: number; teamId: number }, state: string): Promise<void> =>
  emit(ctx, { topic: topics.stacks(stack.teamId), teamId: stack.teamId, content: { stackId: stack.id, state } })

export interface NewStack {
  name: string
  description: string
  envId: string
  productId: number | null
  quota: Amount
}

/** A namespace with its share of the quota, apart from other teams. The cluster is told right after. */
export const createStack = (ctx: Ctx, teamId: number, input: NewStack): Promise<Stack> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: input.name, after: input })
    await mustUse(ctx, input.envId, teamId, { hold: true })
    if (input.productId !== null) await getProduct(ctx, teamId, input.productId)
    await mustFit(ctx, { teamId, environment: input.envId, wanted: input.quota })
    if (await findStackByName(ctx.db, teamId, input.envId, input.name))
      throw new Fault('conflict', 'stacks-name-taken', { name: input.name })
    const id = await insertStack(ctx.db, {
      teamId,
      environment: input.envId,
      productId: input.productId,
      name: input.name,
      description: input.description,
      namespace: await freeNamespace(ctx, teamId, input),
      quota: input.quota,
      actor: ctx.actor.name,
    })
    await tellStack(ctx, { id, teamId }, 'creating')
    settling.tell(ctx)
    return shownStack(ctx, await getStack(ctx, teamId, id))
  })

/** The quota's lock is held, so nobody of this team takes the name meanwhile; against other teams the constraint decides. */
async function freeNamespace(ctx: Ctx, teamId: number, { name, envId }: NewStack): Promise<string> {
  const team = await ctx.db.selectFrom('team').select('name').where('id', '=', teamId).executeTakeFirstOrThrow()
  const plain = namespaceOf(team.name, name)
  const taken = await ctx.db
    .selectFrom('stack')
    .select('id')
    .where('environment', '=', envId)
    .where('namespace', '=', plain)
    .executeTakeFirst()
  return taken ? namespaceOf(team.name, name, { hashed: true }) : plain
}

export const changeStack = (
  ctx: Ctx,
  teamId: number,
  value: StackKey,
  input: { description: string; productId: number | null },
): Promise<Stack> =>
  inTx(ctx, async (ctx) => {
    const stack = await getStack(ctx, teamId, value)
    const { description, productId } = stack
    note(ctx, { object: stack.name, before: { description, productId }, after: input })
    if (input.productId !== null) await getProduct(ctx, teamId, input.productId)
    await updateStack(ctx.db, stack.id, input)
    return shownStack(ctx, await getStack(ctx, teamId, stack.id))
  })

/** Never below what runs in the stack, never above what the team has left. */
export const setStackQuota = (
  ctx: Ctx,
  teamId: number,
  environment: string,
  name: string,
  quota: Amount,
): Promise<Stack> =>
  inTx(ctx, async (ctx) => {
    const stack = await findStackByName(ctx.db, teamId, environment, name)
    if (!stack) throw new Fault('missing', 'resource-missing')
    note(ctx, { object: name, before: { cpu: stack.cpu, memory: stack.memory }, after: quota })
    await mustFit(ctx, { teamId, environment, stackId: stack.id, wanted: quota })
    await lockStack(ctx.db, stack.id)
    const over = excess(quota, await usedBy(ctx, stack.id), { cpu: 0, memory: 0 })
    if (over) throw new Fault('conflict', `stacks-share-below-use-${over.resource}`, excessVars(over))
    await updateStack(ctx.db, stack.id, { quota })
    // the namespace's own quota follows: applied as at the beginning
    await setStackState(ctx.db, stack.id, 'creating')
    await tellStack(ctx, stack, 'creating')
    settling.tell(ctx)
    return shownStack(ctx, await getStack(ctx, teamId, stack.id))
  })

/** Deletes a stack with everything in its namespace. `forget`: also where the cluster does not answer any more. */
export const removeStack = (
  ctx: Ctx,
  teamId: number,
  environment: string,
  value: StackKey,
  forget: boolean,
): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const stack = await getStack(ctx, teamId, value, environment)
    const { namespace, cpu, memory } = stack
    note(ctx, {
      object: stack.name,
      before: { namespace, cpu, memory },
      after: forget ? { forgotten: true } : undefined,
    })
    await lockStack(ctx.db, stack.id)
    if (forget) await deleteStack(ctx.db, stack.id)
    else await setStackState(ctx.db, stack.id, 'deleting')
    await tellStack(ctx, stack, forget ? 'deleted' : 'deleting')
    settling.tell(ctx)
    return null
  })
