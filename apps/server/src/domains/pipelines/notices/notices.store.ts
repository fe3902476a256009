import { BuildEvent } from '@gantry/contract/notifications/build-event'
import { Channel, type NotificationRule, type RuleInput } from '@gantry/contract/notifications/rules'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { z } from 'zod'
import { anyContains, byName, countMatches } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { actsFor, actsForName } from '../builds/builds.store.ts'
import { isOfFork } from '../builds/merge-request.store.ts'

const rows = (db: Db) =>
  db
    .selectFrom('notification_rule as rule')
    .leftJoin('pipeline_group', 'pipeline_group.id', 'rule.group_id')
    .leftJoin('pipeline', 'pipeline.id', 'rule.pipeline_id')

const columns = [
  'rule.id',
  'rule.team_id as teamId',
  'rule.name',
  'rule.enabled',
  'rule.events',
  'rule.group_id as groupId',
  'rule.pipeline_id as pipelineId',
  'rule.branches',
  'rule.channels',
  'rule.triggerer',
  'rule.deciders',
  'rule.users',
  'rule.roles',
  'rule.revision',
  'rule.updated_at as updatedAt',
] as const

const methods = sql<number[]>`array(select channel_id from notification_rule_method as one
  where one.rule_id = rule.id order by channel_id)`.as('methods')

const scopeName = sql<string>`coalesce(pipeline_group.name, pipeline.name, '')`.as('scopeName')

const Lists = z.object({ events: z.array(BuildEvent), channels: z.array(Channel) })
const parsed = <R extends { events: string[]; channels: string[] }>(row: R) => ({ ...row, ...Lists.parse(row) })

export async function listRules(db: Db, teamId: number, keyword: string, at: Page): Promise<List<NotificationRule>> {
  const matching = rows(db)
    .where('rule.team_id', '=', teamId)
    .$if(keyword !== '', (q) => q.where(anyContains(['rule.name', 'pipeline_group.name', 'pipeline.name'], keyword)))
  const items = await matching
    .select(columns)
    .select([scopeName, methods])
    .orderBy(byName('rule.name'))
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items.map(parsed), await countMatches(db, matching), at)
}

/** With `lock` the row stays locked until the transaction ends. */
export async function findRule(
  db: Db,
  teamId: number,
  id: number,
  { lock = false } = {},
): Promise<NotificationRule | undefined> {
  const row = await rows(db)
    .select(columns)
    .select([scopeName, methods])
    .where('rule.team_id', '=', teamId)
    .where('rule.id', '=', id)
    .$if(lock, (q) => q.forUpdate('rule'))
    .executeTakeFirst()
  return row && parsed(row)
}

const toRow = ({ groupId, pipelineId, methods: _, ...fields }: RuleInput) => ({
  ...fields,
  group_id: groupId,
  pipeline_id: pipelineId,
})

/** Returns the new rule's id; undefined if the team has a rule with that name. */
export const insertRule = async (db: Db, teamId: number, input: RuleInput): Promise<number | undefined> =>
  (
    await db
      .insertInto('notification_rule')
      .values({ team_id: teamId, ...toRow(input) })
      .onConflict((c) => c.constraint('notification_rule_name').doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

export const updateRule = (db: Db, id: number, input: RuleInput) =>
  db
    .updateTable('notification_rule')
    .set({ ...toRow(input), revision: sql`revision + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()

export async function setMethods(db: Db, teamId: number, ruleId: number, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('notification_rule_method').where('rule_id', '=', ruleId).execute()
  const rows = [...new Set(ids)].map((channel_id) => ({ team_id: teamId, rule_id: ruleId, channel_id }))
  if (rows.length > 0) await db.insertInto('notification_rule_method').values(rows).execute()
}

export const deleteRule = (db: Db, id: number) => db.deleteFrom('notification_rule').where('id', '=', id).execute()

/** Whether the group or pipeline of a rule is of the team. */
export async function isScopeOf(db: Db, teamId: number, { groupId, pipelineId }: RuleInput): Promise<boolean> {
  const within = (table: 'pipeline' | 'pipeline_group', id: number) =>
    db.selectFrom(table).select('id').where('team_id', '=', teamId).where('id', '=', id).executeTakeFirst()
  if (groupId !== null) return (await within('pipeline_group', groupId)) !== undefined
  return pipelineId === null || (await within('pipeline', pipelineId)) !== undefined
}

/** Stores a notification about a build, if a rule is for one of the events. Returns whether there is such a rule. */
export async function insertDue(db: Db, teamId: number, buildId: number, events: BuildEvent[]): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into notification_due (build_id, events)
    select ${buildId}::int, ${events}::text[]
    where exists (select from notification_rule where team_id = ${teamId} and enabled and events && ${events}::text[])`.execute(
    db,
  )
  return (numAffectedRows ?? 0n) > 0n
}

/** The ids of waiting notifications, oldest first. */
export const waitingDue = async (db: Db): Promise<number[]> =>
  (await db.selectFrom('notification_due').select('id').orderBy('id').limit(1_000).execute()).map(({ id }) => id)

/** Claims a notification, for good once the transaction commits; undefined if another worker has it. */
export async function takeDue(db: Db, id: number) {
  const row = await db
    .deleteFrom('notification_due')
    .where('id', 'in', (q) =>
      q.selectFrom('notification_due').select('id').where('id', '=', id).forUpdate().skipLocked(),
    )
    .returning(['build_id as buildId', 'events'])
    .executeTakeFirst()
  return row && { ...row, events: z.array(BuildEvent).parse(row.events) }
}

/** Deletes notifications that could not be sent within a day, because they are no longer of use. */
export const deleteOldDue = (db: Db) =>
  db
    .deleteFrom('notification_due')
    .where('created_at', '<', sql<string>`now() - interval '1 day'`)
    .execute()

/** A build as notifications need it. */
export const buildForNotification = (db: Db, buildId: number) =>
  db
    .selectFrom('build')
    .innerJoin('pipeline', 'pipeline.id', 'build.pipeline_id')
    .innerJoin('team', 'team.id', 'build.team_id')
    .select(['build.id', 'build.number', 'build.state', 'build.branch', 'build.tag', actsFor.as('userId')])
    .select(['build.user_id as triggererId', 'build.requesters'])
    .select([actsForName.as('by'), 'pipeline.id as pipelineId', 'pipeline.name as pipeline'])
    .select(isOfFork.as('fork'))
    .select(['pipeline.group_id as groupId', 'team.id as teamId', 'team.name as team'])
    .where('build.id', '=', buildId)
    .executeTakeFirstOrThrow()
export type ToldBuild = Awaited<ReturnType<typeof buildForNotification>>

/** The rules that apply to this build, whatever its branch. */
export async function rulesFor(db: Db, build: ToldBuild, events: BuildEvent[]): Promise<NotificationRule[]> {
  const found = await rows(db)
    .select(columns)
    .select([scopeName, methods])
    .where('rule.team_id', '=', build.teamId)
    .where('rule.enabled', '=', true)
    .where(sql<boolean>`rule.events && ${events}::text[]`)
    .where((q) => q.or([q('rule.group_id', 'is', null), q('rule.group_id', '=', build.groupId)]))
    .where((q) => q.or([q('rule.pipeline_id', 'is', null), q('rule.pipeline_id', '=', build.pipelineId)]))
    .orderBy('rule.id')
    .execute()
  return found.map(parsed)
}
