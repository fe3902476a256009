import type { NotificationRule, RuleInput } from '@gantry/contract/notifications/rules'
import { brokenConstraint } from '../../../db/constraint.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { receiversOf } from '../../alarms/public.ts'
import { areOfTeam } from '../reviews/reviews.store.ts'
import { deleteRule, findRule, insertRule, isScopeOf, setMethods, updateRule } from './notices.store.ts'

async function mustFind(ctx: Ctx, teamId: number, id: number, lock = false): Promise<NotificationRule> {
  return mustExist(await findRule(ctx.db, teamId, id, { lock }))
}

const nameTaken = (name: string) => new Fault('conflict', 'notification-rule-name-taken', { name })

/** Users, roles, group and pipeline must be of the team; those of another team are refused like missing ones. */
async function mustBeOfTeam(ctx: Ctx, teamId: number, input: RuleInput): Promise<void> {
  if (!(await areOfTeam(ctx.db, teamId, input))) throw new Fault('invalid', 'notification-rule-strangers')
  if (!(await isScopeOf(ctx.db, teamId, input))) throw new Fault('missing', 'resource-missing')
  const receivers = await receiversOf(ctx.db, teamId, input.methods)
  if (receivers.length !== new Set(input.methods).size) throw methodGone()
}

const methodGone = () => new Fault('invalid', 'alarms-channel-gone')

const setMethodsOf = (ctx: Ctx, teamId: number, id: number, { methods }: RuleInput): Promise<void> =>
  setMethods(ctx.db, teamId, id, methods).catch(brokenConstraint('notification_rule_method_channel', methodGone()))

export const createRule = (ctx: Ctx, teamId: number, input: RuleInput): Promise<NotificationRule> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: input.name, after: input })
    await mustBeOfTeam(ctx, teamId, input)
    const id = await insertRule(ctx.db, teamId, input)
    if (id === undefined) throw nameTaken(input.name)
    await setMethodsOf(ctx, teamId, id, input)
    return mustFind(ctx, teamId, id)
  })

export const changeRule = (
  ctx: Ctx,
  teamId: number,
  id: number,
  revision: number | undefined,
  input: RuleInput,
): Promise<NotificationRule> =>
  inTx(ctx, async (ctx) => {
    const before = await mustFind(ctx, teamId, id, true)
    note(ctx, { object: before.name, before, after: input })
    if (revision !== undefined && revision !== before.revision)
      throw new Fault('conflict', 'notification-rule-changed', { name: before.name })
    await mustBeOfTeam(ctx, teamId, input)
    await updateRule(ctx.db, id, input).catch(brokenConstraint('notification_rule_name', nameTaken(input.name)))
    await setMethodsOf(ctx, teamId, id, input)
    return mustFind(ctx, teamId, id)
  })

export const removeRule = (ctx: Ctx, teamId: number, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const before = await mustFind(ctx, teamId, id, true)
    note(ctx, { object: before.name, before })
    await deleteRule(ctx.db, id)
    return null
  })
