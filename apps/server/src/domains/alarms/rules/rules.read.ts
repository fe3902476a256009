import { AlarmEvent, type AlarmRule, type AlarmState, type AlarmStatus } from '@gantry/contract/alarms/rules'
import { AlarmMetric, Condition, Severity } from '@gantry/contract/alarms/conditions'
import { sql } from 'kysely'
import { z } from 'zod'
import { anyContains, byName, countMatches } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import type { Page } from '../../../kernel/paging.ts'
import { conditionsOf } from '../evaluation/evaluate.store.ts'
import { clusterRows } from '../../clusters/public.read.ts'
import { serviceRows, stackRows } from '../../stacks/public.read.ts'

/** Sort order, the worst first. */
const weights: Record<AlarmState, number> = { firing: 0, pending: 1, 'no-data': 2, ok: 3, idle: 4, off: 5 }

const weightOf = sql`case alarm_state.state when 'firing' then ${sql.lit(weights.firing)}
  when 'pending' then ${sql.lit(weights.pending)} when 'no-data' then ${sql.lit(weights['no-data'])} else ${sql.lit(weights.ok)} end`

const rows = (db: Db) =>
  db
    .selectFrom('alarm_rule as rule')
    .leftJoin('alarm_template as template', 'template.id', 'rule.template_id')
    .leftJoinLateral(
      (q) =>
        q
          .selectFrom('alarm_state')
          .whereRef('alarm_state.rule_id', '=', 'rule.id')
          .select(sql<number | null>`min(${weightOf})`.as('weight'))
          .select(sql<number>`count(*) filter (where state = 'firing')`.as('firing'))
          .select(sql<string | null>`min(since) filter (where state = 'firing')`.as('firingSince'))
          .select(sql<string | null>`max(since)`.as('lastSince'))
          .as('seen'),
      (join) => join.onTrue(),
    )

const weight = sql<number>`case when not rule.enabled then ${weights.off} else coalesce(seen.weight, ${weights.idle}) end`

const columns = [
  'rule.id',
  'rule.team_id as teamId',
  'rule.name',
  'rule.enabled',
  'rule.conditions as own',
  'rule.template_id as templateId',
  sql<string>`coalesce(template.name, '')`.as('templateName'),
  'template.conditions as shared',
  'rule.repeat_hours as repeatHours',
  sql<string | null>`case when rule.silenced_until > now() then rule.silenced_until end`.as('silencedUntil'),
  'rule.silenced_by as silencedBy',
  'rule.revision',
  'rule.updated_at as updatedAt',
  weight.as('weight'),
  sql<number>`coalesce(seen.firing, 0)`.as('firing'),
  'seen.firingSince',
  'seen.lastSince',
] as const

const mapsOf = async (db: Db, ruleIds: readonly number[]) =>
  Map.groupBy(
    await db
      .selectFrom('alarm_map as map')
      .leftJoin(serviceRows.as('service'), 'service.id', 'map.service_id')
      .innerJoin(stackRows.as('stack'), (join) =>
        join.on(({ eb, or }) =>
          or([eb('stack.id', '=', eb.ref('map.stack_id')), eb('stack.id', '=', eb.ref('service.stack_id'))]),
        ),
      )
      .innerJoin(clusterRows.as('environment'), 'environment.uuid', 'stack.environment')
      .where(sql<boolean>`map.rule_id = any(${[...ruleIds]}::int[])`)
      .select('map.rule_id as ruleId')
      .select(sql<'service' | 'stack'>`case when map.service_id is null then 'stack' else 'service' end`.as('resource'))
      .select(sql<number>`coalesce(map.service_id, map.stack_id)`.as('id'))
      .select(sql<string>`coalesce(service.name, stack.name)`.as('name'))
      .select(['stack.name as stackName', 'stack.environment as envId', 'environment.name as envName'])
      .orderBy(byName('stack.name'))
      .orderBy(sql`${sql.ref('service.name')} nulls first`)
      .execute(),
    ({ ruleId }) => ruleId,
  )

const channelsOf = async (db: Db, ruleIds: readonly number[]) =>
  Map.groupBy(
    await db
      .selectFrom('alarm_rule_channel as given')
      .innerJoin('alarm_channel as channel', 'channel.id', 'given.channel_id')
      .where(sql<boolean>`given.rule_id = any(${[...ruleIds]}::int[])`)
      .select(['given.rule_id as ruleId', 'channel.id', 'channel.name', 'channel.kind'])
      .orderBy(byName('channel.name'))
      .execute(),
    ({ ruleId }) => ruleId,
  )

const statusRows = (db: Db) =>
  db
    .selectFrom('alarm_state')
    .innerJoin(serviceRows.as('service'), 'service.id', 'alarm_state.service_id')
    .innerJoin(stackRows.as('stack'), 'stack.id', 'service.stack_id')
    .select(['alarm_state.rule_id as ruleId', 'alarm_state.condition', 'alarm_state.severity', 'alarm_state.state'])
    .select(['alarm_state.since', 'alarm_state.value', 'alarm_state.acknowledged_by as acknowledgedBy'])
    .select(['service.id as serviceId', 'service.name as serviceName', 'service.type as serviceType'])
    .select(['stack.id as stackId', 'stack.name as stackName', 'stack.uuid as stackUuid', 'stack.environment as envId'])

type StatusRow = Awaited<ReturnType<ReturnType<typeof statusRows>['execute']>>[number]

const status = ({ ruleId: _, ...row }: StatusRow): AlarmStatus => ({
  ...row,
  metric: AlarmMetric.parse(row.condition.split(' ')[0]),
  severity: Severity.parse(row.severity),
})

const maxStates = 20

/** The worst states of each rule. */
const statesOf = async (db: Db, ruleIds: readonly number[]) =>
  Map.groupBy(
    await db
      .selectFrom(
        statusRows(db)
          .where(sql<boolean>`alarm_state.rule_id = any(${[...ruleIds]}::int[])`)
          .select(
            sql<number>`row_number() over (partition by alarm_state.rule_id order by ${weightOf}, alarm_state.severity, alarm_state.since, service.id)`.as(
              'place',
            ),
          )
          .as('worst'),
      )
      .selectAll()
      .where('place', '<=', maxStates)
      .orderBy('place')
      .execute(),
    ({ ruleId }) => ruleId,
  )

type Row = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number]
const selected = (db: Db) => rows(db).select(columns)

const stateOf = (weight: number): AlarmState =>
  (Object.keys(weights) as AlarmState[]).find((state) => weights[state] === weight) ?? 'idle'

async function whole(db: Db, found: readonly Row[]): Promise<AlarmRule[]> {
  const ids = found.map(({ id }) => id)
  const [maps, channels, states] = [await mapsOf(db, ids), await channelsOf(db, ids), await statesOf(db, ids)]
  return found.map(({ own, shared, weight, firingSince, lastSince, ...row }) => ({
    ...row,
    rules: z.array(Condition).parse(own),
    conditions: conditionsOf(own, shared),
    state: stateOf(weight),
    since: firingSince ?? lastSince,
    maps: (maps.get(row.id) ?? []).map(({ ruleId: _, ...map }) => map),
    channels: (channels.get(row.id) ?? []).map(({ ruleId: _, ...channel }) => channel),
    states: (states.get(row.id) ?? []).map(({ place: _, ...one }) => status(one)),
  }))
}

const orders = {
  state: weight,
  name: byName('rule.name'),
  since: sql`coalesce(seen."firingSince", seen."lastSince")`,
}
export type RuleOrder = keyof typeof orders

export async function listRules(
  db: Db,
  teamId: number,
  filter: { keyword: string; state: AlarmState | undefined },
  { by, direction }: { by: RuleOrder; direction: 'asc' | 'desc' },
  at: Page,
): Promise<{ items: AlarmRule[]; total: number }> {
  const of = rows(db)
    .where('rule.team_id', '=', teamId)
    .$if(filter.keyword !== '', (q) => q.where(anyContains(['rule.name', 'template.name'], filter.keyword)))
    .$if(filter.state !== undefined, (q) =>
      q.where(sql<boolean>`${weight} = ${filter.state === undefined ? 0 : weights[filter.state]}`),
    )
  const found = await of
    .select(columns)
    .orderBy(orders[by], direction)
    .orderBy(byName('rule.name'))
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return { items: await whole(db, found), total: await countMatches(db, of) }
}

export async function findRule(db: Db, id: number): Promise<AlarmRule | undefined> {
  const [rule] = await whole(db, await selected(db).where('rule.id', '=', id).execute())
  return rule
}

/** The rules that watch a service, directly or through its stack. */
export async function rulesOfService(db: Db, { id, stackId }: { id: number; stackId: number }) {
  const found = await db
    .selectFrom('alarm_rule as rule')
    .innerJoin('alarm_map as map', 'map.rule_id', 'rule.id')
    .where(({ or, eb }) => or([eb('map.service_id', '=', id), eb('map.stack_id', '=', stackId)]))
    .distinctOn('rule.id')
    .select(['rule.id as ruleId', 'rule.name', 'rule.enabled'])
    .select(sql<'service' | 'stack'>`case when map.service_id is null then 'stack' else 'service' end`.as('via'))
    .orderBy('rule.id')
    .orderBy('map.service_id', (order) => order.asc().nullsLast())
    .execute()
  const states = Map.groupBy(
    await statusRows(db)
      .where('alarm_state.service_id', '=', id)
      .orderBy(weightOf)
      .orderBy('alarm_state.severity')
      .execute(),
    ({ ruleId }) => ruleId,
  )
  return found.map((rule) => ({ ...rule, states: (states.get(rule.ruleId) ?? []).map(status) }))
}

export async function listEvents(
  db: Db,
  of: { teamId: number } | { serviceId: number },
  keyword: string,
  at: Page,
): Promise<{ items: AlarmEvent[]; total: number }> {
  const matching = db
    .selectFrom('alarm_event as event')
    .innerJoin(serviceRows.as('service'), 'service.id', 'event.service_id')
    .innerJoin(stackRows.as('stack'), 'stack.id', 'service.stack_id')
    .$call((q) =>
      'teamId' in of ? q.where('event.team_id', '=', of.teamId) : q.where('event.service_id', '=', of.serviceId),
    )
    .$if(keyword !== '', (q) => q.where(anyContains(['event.rule_name', 'service.name', 'stack.name'], keyword)))
  const items = await matching
    .select(['event.id', 'event.kind', 'event.rule_name as ruleName', 'event.rule_id as ruleId', 'event.condition'])
    .select(['event.value', 'event.since', 'event.by', 'event.told', 'event.at'])
    .select(['service.id as serviceId', 'service.name as serviceName', 'service.type as serviceType'])
    .select(['stack.id as stackId', 'stack.name as stackName', 'stack.uuid as stackUuid', 'stack.environment as envId'])
    .orderBy('event.id', 'desc')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return {
    items: items.map((row) => ({ ...row, condition: AlarmEvent.shape.condition.parse(row.condition) })),
    total: await countMatches(db, matching),
  }
}
