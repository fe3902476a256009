import { type AlarmTemplate, AlarmTemplateInput } from '@gantry/contract/alarms/templates'
import { sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import { anyContains, byName, countMatches } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import type { Page } from '../../../kernel/paging.ts'

const of = (db: Db, teamId: number) =>
  db.selectFrom('alarm_template as template').where('template.team_id', '=', teamId)

const columns = [
  'template.id',
  'template.name',
  'template.conditions',
  sql<number>`(select count(*) from alarm_rule as rule where rule.template_id = template.id)`.as('used'),
  'template.revision',
  'template.updated_at as updatedAt',
] as const

const { rules: Stored } = AlarmTemplateInput.shape

const toTemplate = <R extends { conditions: unknown }>({ conditions, ...row }: R) => ({
  ...row,
  rules: Stored.parse(conditions),
})

export async function listTemplates(db: Db, teamId: number, keyword: string, at: Page) {
  const matching = of(db, teamId).$if(keyword !== '', (q) => q.where(anyContains(['template.name'], keyword)))
  const items = await matching
    .select(columns)
    .orderBy(byName('template.name'))
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return { items: items.map(toTemplate), total: await countMatches(db, matching) }
}

/** With `lock` the row stays locked until the transaction ends. */
export async function findTemplate(
  db: Db,
  teamId: number,
  id: number,
  { lock = false } = {},
): Promise<AlarmTemplate | undefined> {
  const row = await of(db, teamId)
    .select(columns)
    .where('template.id', '=', id)
    .$if(lock, (q) => q.forUpdate('template'))
    .executeTakeFirst()
  return row && toTemplate(row)
}

export const insertTemplate = async (db: Db, teamId: number, { name, rules }: AlarmTemplateInput): Promise<number> =>
  (
    await db
      .insertInto('alarm_template')
      .values({ team_id: teamId, name, conditions: jsonb(rules) })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

export const updateTemplate = (db: Db, id: number, { name, rules }: AlarmTemplateInput) =>
  db
    .updateTable('alarm_template')
    .set({ name, conditions: jsonb(rules), revision: sql`revision + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()

export const deleteTemplate = (db: Db, id: number) => db.deleteFrom('alarm_template').where('id', '=', id).execute()

/** The first rule that uses the template. */
export const ruleWith = (db: Db, templateId: number) =>
  db
    .selectFrom('alarm_rule as rule')
    .select('rule.name')
    .where('rule.template_id', '=', templateId)
    .orderBy(byName('rule.name'))
    .limit(1)
    .executeTakeFirst()
