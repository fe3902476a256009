import { conditionKey } from '@gantry/contract/alarms/conditions'
import type { AlarmEvent, AlarmMap, AlarmRule, AlarmRuleInput, AlarmState } from '@gantry/contract/alarms/rules'
import type { List } from '@gantry/contract/paging'
import { setRevision } from '@gantry/contract/revision'
import { brokenConstraint } from '../../../db/constraint.ts'
import { sorting } from '../../../db/list.ts'
import { mustBeMadeOn } from '../../../db/revision.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { lockServices } from '../../stacks/public.ts'
import { evaluateRules } from '../evaluation/evaluate.queue.ts'
import { insertEvents } from '../evaluation/evaluate.store.ts'
import { findRule, listEvents, listRules, rulesOfService } from './rules.read.ts'
import {
  acknowledgeAll,
  deleteRule,
  insertRule,
  lockRule,
  lockRules,
  renewRules,
  rulesBoundTo,
  serviceAt,
  setChannels,
  setMaps,
  setRulesOf,
  silenceRule,
  unbind,
  updateRule,
} from './rules.store.ts'

export async function readRule(ctx: Ctx, id: number): Promise<AlarmRule> {
  return mustExist(await findRule(ctx.db, id))
}

interface RuleQuery {
  keyword?: string | undefined
  sort?: string | undefined
  state?: AlarmState | 'all' | undefined
}

export async function readRules(ctx: Ctx, teamId: number, query: RuleQuery, at: Page): Promise<List<AlarmRule>> {
  const { keyword = '', sort, state = 'all' } = query
  const filter = { keyword, state: state === 'all' ? undefined : state }
  const { items, total } = await listRules(ctx.db, teamId, filter, sorting(sort, ['state', 'name', 'since']), at)
  return toList(items, total, at)
}

export async function readHistory(ctx: Ctx, teamId: number, keyword: string, at: Page): Promise<List<AlarmEvent>> {
  const { items, total } = await listEvents(ctx.db, { teamId }, keyword, at)
  return toList(items, total, at)
}

const guarded = <T>(write: Promise<T>, { name }: AlarmRuleInput): Promise<T> =>
  write
    .catch(brokenConstraint('alarm_rule_name', new Fault('conflict', 'alarms-name-taken', { name })))
    .catch(brokenConstraint('alarm_rule_template', new Fault('invalid', 'alarms-template-gone')))

async function mustSetMaps(ctx: Ctx, teamId: number, id: number, maps: readonly AlarmMap[]): Promise<void> {
  if (!(await setMaps(ctx.db, teamId, id, maps))) throw new Fault('invalid', 'alarms-resource-gone')
}

async function bindAll(ctx: Ctx, teamId: number, id: number, { maps, channels }: AlarmRuleInput): Promise<AlarmRule> {
  await mustSetMaps(ctx, teamId, id, maps)
  if (!(await setChannels(ctx.db, teamId, id, channels))) throw new Fault('invalid', 'alarms-channel-gone')
  // evaluated within seconds instead of with the next round
  await enqueue(ctx, evaluateRules, {}, { key: 'slot' })
  return readRule(ctx, id)
}

export const createRule = (ctx: Ctx, teamId: number, input: AlarmRuleInput): Promise<AlarmRule> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: input.name, after: input })
    return bindAll(ctx, teamId, await guarded(insertRule(ctx.db, teamId, input), input), input)
  })

/** The revision that an edit was made on. */
interface MadeOn<R> {
  revision?: R | undefined
}

/** Locks the rule and records in the audit row what it was. */
async function locked(ctx: Ctx, of: Parameters<typeof lockRule>[1]) {
  const before = mustExist(await lockRule(ctx.db, of))
  note(ctx, { object: before.name, before })
  return before
}

function mustBeUnchanged(before: { name: string; revision: number }, given: number | undefined): void {
  if (given !== undefined && given !== before.revision)
    throw new Fault('conflict', 'alarms-changed', { name: before.name })
}

export const changeRule = (
  ctx: Ctx,
  { id, revision, ...input }: AlarmRuleInput & { id: number } & MadeOn<number>,
): Promise<AlarmRule> =>
  inTx(ctx, async (ctx) => {
    const before = await locked(ctx, { id })
    note(ctx, { after: input })
    mustBeUnchanged(before, revision)
    await guarded(updateRule(ctx.db, id, input), input)
    return bindAll(ctx, before.teamId, id, input)
  })

export const removeRule = (ctx: Ctx, teamId: number, name: string): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const { id } = await locked(ctx, { teamId, name })
    await deleteRule(ctx.db, id)
    return null
  })

export const bindRule = (
  ctx: Ctx,
  id: number,
  { maps, revision }: { maps: readonly AlarmMap[] } & MadeOn<number>,
): Promise<AlarmRule> =>
  inTx(ctx, async (ctx) => {
    const before = await locked(ctx, { id })
    note(ctx, { after: { maps } })
    mustBeUnchanged(before, revision)
    await mustSetMaps(ctx, before.teamId, id, maps)
    await renewRules(ctx.db, [id])
    return readRule(ctx, id)
  })

export const silence = (ctx: Ctx, id: number, minutes: number): Promise<AlarmRule> =>
  inTx(ctx, async (ctx) => {
    await locked(ctx, { id })
    await silenceRule(ctx.db, id, minutes, ctx.actor.name)
    const after = await readRule(ctx, id)
    note(ctx, { after: { silencedUntil: after.silencedUntil } })
    return after
  })

export const acknowledge = (ctx: Ctx, id: number): Promise<AlarmRule> =>
  inTx(ctx, async (ctx) => {
    const { teamId, name } = await locked(ctx, { id })
    const rule = await readRule(ctx, id)
    const by = ctx.actor.name
    const known = await acknowledgeAll(ctx.db, id, by)
    if (known.length === 0) throw new Fault('conflict', 'alarms-nothing-fires', { name })
    const conditions = new Map(rule.conditions.map((one) => [conditionKey(one), one]))
    await insertEvents(
      ctx.db,
      known.flatMap(({ serviceId: service, condition: key, since, value }) => {
        const condition = conditions.get(key)
        const event = { team: teamId, rule: id, name, service, value, since, by, told: [] }
        return condition ? [{ ...event, condition, kind: 'acknowledged' as const }] : []
      }),
    )
    return readRule(ctx, id)
  })

type At = Parameters<typeof serviceAt>[1]

async function mustFind(ctx: Ctx, at: At) {
  return mustExist(await serviceAt(ctx.db, at))
}

export const readRulesOfService = async (ctx: Ctx, at: At) => rulesOfService(ctx.db, await mustFind(ctx, at))

/** Locks a service, then the rules that watch it directly and these ones; returns those that the team has. */
async function lockServiceAt(ctx: Ctx, at: At, rules: readonly number[]): Promise<{ id: number; known: Set<number> }> {
  const { id, name, stackName } = await mustFind(ctx, at)
  note(ctx, { object: `${stackName}/${name}` })
  await lockServices(ctx.db, [id])
  return { id, known: new Set(await lockRules(ctx.db, at.t, [...(await rulesBoundTo(ctx.db, id)), ...rules])) }
}

/** Makes exactly these rules watch the service directly. `revision` is that of the rules that the caller read. */
export const bindService = (
  ctx: Ctx,
  at: At,
  { maps, revision }: { maps: readonly number[] } & MadeOn<string>,
): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const { id, known } = await lockServiceAt(ctx, at, maps)
    // read once they are locked: the edit of a rule sets what it watches, too
    const bound = await rulesBoundTo(ctx.db, id)
    const after = [...new Set(maps)]
    note(ctx, { before: { rules: bound }, after: { rules: maps } })
    mustBeMadeOn(setRevision(bound), revision)
    if (after.some((rule) => !known.has(rule))) throw new Fault('invalid', 'alarms-rule-gone')
    await setRulesOf(ctx.db, id, after)
    const changed = [...bound, ...after].filter((rule) => !bound.includes(rule) || !after.includes(rule))
    await renewRules(ctx.db, changed)
    return null
  })

export const unbindService = (ctx: Ctx, at: At, ruleId: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const { id } = await lockServiceAt(ctx, at, [ruleId])
    note(ctx, { before: { ruleId } })
    if (!(await unbind(ctx.db, id, ruleId))) throw new Fault('missing', 'resource-missing')
    await renewRules(ctx.db, [ruleId])
    return null
  })

export async function readHistoryOfService(ctx: Ctx, at: At, page: Page): Promise<List<AlarmEvent>> {
  const { id } = await mustFind(ctx, at)
  const { items, total } = await listEvents(ctx.db, { serviceId: id }, '', page)
  return toList(items, total, page)
}
