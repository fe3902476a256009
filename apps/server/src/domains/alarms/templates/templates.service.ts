import type { AlarmTemplate, AlarmTemplateInput } from '@gantry/contract/alarms/templates'
import type { List } from '@gantry/contract/paging'
import { brokenConstraint } from '../../../db/constraint.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import {
  deleteTemplate,
  findTemplate,
  insertTemplate,
  listTemplates,
  ruleWith,
  updateTemplate,
} from './templates.store.ts'

async function found(ctx: Ctx, teamId: number, id: number, how?: { lock: boolean }): Promise<AlarmTemplate> {
  return mustExist(await findTemplate(ctx.db, teamId, id, how))
}

export async function readTemplates(ctx: Ctx, teamId: number, keyword: string, at: Page): Promise<List<AlarmTemplate>> {
  const { items, total } = await listTemplates(ctx.db, teamId, keyword, at)
  return toList(items, total, at)
}

const taken = (name: string) =>
  brokenConstraint('alarm_template_name', new Fault('conflict', 'alarms-template-name-taken', { name }))

async function write(ctx: Ctx, teamId: number, input: AlarmTemplateInput): Promise<number> {
  const { id, name, revision } = input
  if (id === undefined) return insertTemplate(ctx.db, teamId, input).catch(taken(name))
  const before = await found(ctx, teamId, id, { lock: true })
  note(ctx, { before })
  if (revision !== undefined && revision !== before.revision)
    throw new Fault('conflict', 'alarms-template-changed', { name: before.name })
  await updateTemplate(ctx.db, id, input).catch(taken(name))
  return id
}

export const saveTemplate = (ctx: Ctx, teamId: number, input: AlarmTemplateInput): Promise<AlarmTemplate> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: input.name, after: input })
    const id = await write(ctx, teamId, input)
    return found(ctx, teamId, id)
  })

export const removeTemplate = (ctx: Ctx, teamId: number, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const before = await found(ctx, teamId, id, { lock: true })
    note(ctx, { object: before.name, before })
    const rule = await ruleWith(ctx.db, id)
    if (rule) throw new Fault('conflict', 'alarms-template-in-use', { name: before.name, rule: rule.name })
    // a rule that is being saved with this template waits for the row, and then finds it deleted
    await deleteTemplate(ctx.db, id)
    return null
  })
