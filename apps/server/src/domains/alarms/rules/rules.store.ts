import type { AlarmMap, AlarmRuleInput } from '@gantry/contract/alarms/rules'
import { sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { serviceRows, stackRows } from '../../stacks/public.read.ts'

export const teamOfRule = async (db: Db, id: number): Promise<number | undefined> =>
  (await db.selectFrom('alarm_rule').select('team_id').where('id', '=', id).executeTakeFirst())?.team_id

/** Locked until the transaction ends. */
export const lockRule = (db: Db, of: { id: number } | { teamId: number; name: string }) =>
  db
    .selectFrom('alarm_rule')
    .select(['id', 'team_id as teamId', 'name', 'enabled', 'conditions as rules', 'template_id as templateId'])
    .select(['repeat_hours as repeatHours', 'silenced_until as silencedUntil', 'revision'])
    .$call((q) =>
      'id' in of ? q.where('id', '=', of.id) : q.where('team_id', '=', of.teamId).where('name', '=', of.name),
    )
    .forNoKeyUpdate()
    .executeTakeFirst()

const values = ({ name, enabled, rules, templateId, repeatHours }: AlarmRuleInput) => ({
  name,
  enabled,
  conditions: jsonb(rules),
  template_id: templateId,
  repeat_hours: repeatHours,
})

export const insertRule = async (db: Db, teamId: number, input: AlarmRuleInput): Promise<number> =>
  (
    await db
      .insertInto('alarm_rule')
      .values({ team_id: teamId, ...values(input) })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

export const updateRule = (db: Db, id: number, input: AlarmRuleInput) =>
  db
    .updateTable('alarm_rule')
    .set({ ...values(input), revision: sql`revision + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()

export const deleteRule = (db: Db, id: number) => db.deleteFrom('alarm_rule').where('id', '=', id).execute()

export const silenceRule = (db: Db, id: number, minutes: number, by: string) =>
  db
    .updateTable('alarm_rule')
    .set({
      silenced_until: minutes === 0 ? null : sql`now() + make_interval(mins => ${minutes}::int)`,
      silenced_by: minutes === 0 ? '' : by,
    })
    .where('id', '=', id)
    .execute()

/** Sets the channels that a rule notifies; false if one is not of its team. */
export async function setChannels(
  db: Db,
  teamId: number,
  ruleId: number,
  channelIds: readonly number[],
): Promise<boolean> {
  const ids = [...new Set(channelIds)]
  await db.deleteFrom('alarm_rule_channel').where('rule_id', '=', ruleId).execute()
  const { numAffectedRows } = await sql`
    insert into alarm_rule_channel (team_id, rule_id, channel_id)
    select team_id, ${ruleId}::int, id from alarm_channel
    where team_id = ${teamId} and id = any(${ids}::int[])
    order by id for key share`.execute(db)
  return Number(numAffectedRows ?? 0) === ids.length
}

/** Sets what a rule watches; false if something is not of its team. */
export async function setMaps(db: Db, teamId: number, ruleId: number, maps: readonly AlarmMap[]): Promise<boolean> {
  const idsOf = (kind: AlarmMap['resource']) => [
    ...new Set(maps.filter(({ resource }) => resource === kind).map(({ id }) => id)),
  ]
  const [services, stacks] = [idsOf('service'), idsOf('stack')]
  await db.deleteFrom('alarm_map').where('rule_id', '=', ruleId).execute()
  const { numAffectedRows } = await sql`
    insert into alarm_map (rule_id, service_id, stack_id)
    select ${ruleId}::int, service.id, null from ${serviceRows} service join ${stackRows} stack on stack.id = service.stack_id
    where stack.team_id = ${teamId} and service.id = any(${services}::int[])
    union all
    select ${ruleId}::int, null, stack.id from ${stackRows} stack
    where stack.team_id = ${teamId} and stack.id = any(${stacks}::int[])`.execute(db)
  return Number(numAffectedRows ?? 0) === services.length + stacks.length
}

/** A service by the parameters of its path; undefined if there is none. */
export const serviceAt = (db: Db, at: { t: number; e: string; s: number | string; svc: number }) =>
  db
    .selectFrom(serviceRows.as('service'))
    .innerJoin(stackRows.as('stack'), 'stack.id', 'service.stack_id')
    .select(['service.id', 'service.name', 'stack.name as stackName', 'stack.id as stackId'])
    .where('service.id', '=', at.svc)
    .where('stack.team_id', '=', at.t)
    .where('stack.environment', '=', at.e)
    .where((q) => (typeof at.s === 'number' ? q('stack.id', '=', at.s) : q('stack.uuid', '=', at.s)))
    .executeTakeFirst()

/** The rules that watch a service directly. */
export const rulesBoundTo = async (db: Db, serviceId: number): Promise<number[]> =>
  (await db.selectFrom('alarm_map').select('rule_id as id').where('service_id', '=', serviceId).execute()).map(
    ({ id }) => id,
  )

/** Locks those of these rules that the team has, in the order of their ids, and returns them. */
export const lockRules = async (db: Db, teamId: number, ruleIds: readonly number[]): Promise<number[]> =>
  (
    await db
      .selectFrom('alarm_rule')
      .select('id')
      .where('team_id', '=', teamId)
      .where(sql<boolean>`id = any(${[...ruleIds]}::int[])`)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
  ).map(({ id }) => id)

/** Increments the revisions of locked rules, because what they watch has changed. */
export const renewRules = (db: Db, ruleIds: readonly number[]) =>
  db
    .updateTable('alarm_rule')
    .set({ revision: sql`revision + 1`, updated_at: sql`now()` })
    .where(sql<boolean>`id = any(${[...ruleIds]}::int[])`)
    .execute()

/** Sets the rules that watch a service directly. */
export async function setRulesOf(db: Db, serviceId: number, ruleIds: readonly number[]): Promise<void> {
  await db.deleteFrom('alarm_map').where('service_id', '=', serviceId).execute()
  await sql`insert into alarm_map (rule_id, service_id)
    select id, ${serviceId}::int from unnest(${[...ruleIds]}::int[]) id`.execute(db)
}

export const unbind = async (db: Db, serviceId: number, ruleId: number): Promise<boolean> =>
  (
    await db
      .deleteFrom('alarm_map')
      .where('service_id', '=', serviceId)
      .where('rule_id', '=', ruleId)
      .executeTakeFirstOrThrow()
  ).numDeletedRows > 0n

/** Acknowledges the alarms of a rule that fire and are not acknowledged yet; returns them. */
export const acknowledgeAll = (db: Db, ruleId: number, by: string) =>
  db
    .updateTable('alarm_state')
    .set({ acknowledged_by: by })
    .where('rule_id', '=', ruleId)
    .where('state', '=', 'firing')
    .where('acknowledged_by', '=', '')
    .returning(['service_id as serviceId', 'condition', 'since', 'value'])
    .execute()
