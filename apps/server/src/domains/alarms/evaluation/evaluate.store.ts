import { Condition, conditionKey } from '@gantry/contract/alarms/conditions'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../db/tables.gen.ts'
import type { Transition, State } from './machine.ts'
import { clusterRows } from '../../clusters/public.read.ts'
import { serviceRows, stackRows } from '../../stacks/public.read.ts'

/** A rule and a service that it watches: one entry, even if the rule names both the service and its stack. */
export interface Watched {
  ruleId: number
  ruleName: string
  teamId: number
  conditions: Condition[]
  repeatHours: number
  silenced: boolean
  serviceId: number
  environment: string
}

const List = z.array(Condition)

/** Conditions of the rule itself and of its template, without duplicates. */
export const conditionsOf = (own: unknown, ofTemplate: unknown): Condition[] => {
  const all = [...List.parse(own), ...List.parse(ofTemplate ?? [])]
  return [...new Map(all.toReversed().map((one) => [conditionKey(one), one])).values()].toReversed()
}

/** Everything that enabled rules watch. */
export async function watchedNow(db: Db): Promise<Watched[]> {
  const rows = await db
    .selectFrom('alarm_rule as rule')
    .innerJoin('alarm_map as map', 'map.rule_id', 'rule.id')
    .innerJoin(serviceRows.as('service'), (join) =>
      join.on(({ or, eb }) =>
        or([eb('service.id', '=', eb.ref('map.service_id')), eb('service.stack_id', '=', eb.ref('map.stack_id'))]),
      ),
    )
    .innerJoin(stackRows.as('stack'), (join) =>
      join.onRef('stack.id', '=', 'service.stack_id').onRef('stack.team_id', '=', 'rule.team_id'),
    )
    .leftJoin('alarm_template as template', 'template.id', 'rule.template_id')
    .where('rule.enabled', '=', true)
    .select(['rule.id as ruleId', 'rule.name as ruleName', 'rule.team_id as teamId', 'rule.conditions as own'])
    .select(['template.conditions as shared', 'rule.repeat_hours as repeatHours'])
    .select(['service.id as serviceId', 'stack.environment'])
    .select(sql<boolean>`coalesce(rule.silenced_until > now(), false)`.as('silenced'))
    .distinctOn(['rule.id', 'service.id'])
    .orderBy('rule.id')
    .orderBy('service.id')
    .execute()
  return rows.map(({ own, shared, ...row }) => ({ ...row, conditions: conditionsOf(own, shared) }))
}

export const StoredProgress = z.object({
  behind: z.enum(['ok', 'pending', 'firing']).nullable(),
  behindSince: z.number(),
  clear: z.number(),
  missing: z.number(),
  toldAt: z.number().nullable(),
})
export type StoredProgress = z.infer<typeof StoredProgress>

export async function storedStates(db: Db) {
  const rows = await db
    .selectFrom('alarm_state')
    .select(['rule_id as ruleId', 'service_id as serviceId', 'condition', 'severity', 'state', 'since', 'memory'])
    .select(['acknowledged_by as acknowledgedBy', 'round', 'value'])
    .execute()
  return rows.map(({ memory, ...row }) => ({ ...row, memory: StoredProgress.parse(memory) }))
}
export type StoredState = Awaited<ReturnType<typeof storedStates>>[number]

export interface Written {
  rule: number
  service: number
  condition: string
  severity: string
  state: State
  since: string
  memory: StoredProgress
  value: number | null
  acknowledged: string
  /** The round of the state that this one replaces; null if there was none. */
  before: string | null
}

/**
 * Stores the states of a round where the stored state is still the one that the round has read; returns which. Of two
 * servers that evaluate the same minute, one stores and notifies.
 */
export async function writeStates(db: Db, round: string, states: readonly Written[]): Promise<Set<string>> {
  const { rows } = await sql<{ rule: number; service: number; condition: string }>`
    insert into alarm_state
      (rule_id, service_id, condition, severity, state, since, memory, value, acknowledged_by, round, follows)
    select rule, service, condition, severity, state, since, memory, value, acknowledged, ${round}::timestamptz, before
    from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as given (rule int, service int, condition text,
      severity text, state text, since timestamptz, memory jsonb, value float8, acknowledged text, before timestamptz)
    where exists (select from alarm_rule where id = rule) and exists (select from ${serviceRows} own where own.id = service)
      and (before is null or exists (select from alarm_state as known
        where (known.rule_id, known.service_id, known.condition) = (rule, service, given.condition)))
    order by rule, service, condition
    on conflict (rule_id, service_id, condition) do update set
      severity = excluded.severity, state = excluded.state, since = excluded.since, memory = excluded.memory,
      value = excluded.value, round = excluded.round, follows = excluded.follows,
      acknowledged_by = case when excluded.acknowledged_by = '' then '' else alarm_state.acknowledged_by end
    where alarm_state.round = excluded.follows and alarm_state.round < excluded.round
    returning rule_id as rule, service_id as service, condition`.execute(db)
  return new Set(rows.map(({ rule, service, condition }) => stateKey(rule, service, condition)))
}

export const stateKey = (rule: number, service: number, condition: string): string => `${rule} ${service} ${condition}`

/** Deletes the states that nobody has written since they were read. */
export async function deleteStates(db: Db, states: readonly StoredState[]): Promise<void> {
  if (states.length === 0) return
  await sql`
    delete from alarm_state using unnest(${states.map((s) => s.ruleId)}::int[], ${states.map((s) => s.serviceId)}::int[],
      ${states.map((s) => s.condition)}::text[], ${states.map((s) => s.round)}::timestamptz[])
      as given (rule, service, condition, round)
    where rule_id = given.rule and service_id = given.service and alarm_state.condition = given.condition
      and alarm_state.round = given.round`.execute(db)
}

export interface NewEvent {
  team: number
  rule: number
  name: string
  service: number
  condition: Condition
  kind: Transition | 'acknowledged'
  value: number | null
  since: string | null
  by: string
  told: readonly string[]
}

export const insertEvents = (db: Db, events: readonly NewEvent[]) =>
  sql`
    insert into alarm_event (team_id, rule_id, rule_name, service_id, condition, kind, value, since, by, told)
    select team, rule, name, service, condition, kind, value, since, by,
      array(select jsonb_array_elements_text(told))
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as given (team int, rule int, name text,
      service int, condition jsonb, kind text, value float8, since timestamptz, by text, told jsonb)`.execute(db)

export async function forgetEvents(db: Db, days: number): Promise<void> {
  const old = db
    .selectFrom('alarm_event')
    .select('id')
    .where('at', '<', sql<string>`now() - make_interval(days => ${days}::int)`)
    .limit(5_000)
  await db.deleteFrom('alarm_event').where('id', 'in', old).execute()
}

export const restartsSeen = (db: Db, serviceIds: readonly number[]) =>
  db
    .selectFrom('alarm_restarts')
    .select(['service_id as serviceId', 'seen'])
    .where(sql<boolean>`service_id = any(${[...serviceIds]}::int[])`)
    .execute()

export const writeRestarts = (db: Db, seen: readonly { service: number; seen: unknown }[]) =>
  sql`
    insert into alarm_restarts (service_id, seen)
    select given.service, given.seen from jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as given (service int, seen jsonb)
    where exists (select from ${serviceRows} service where id = given.service)
    order by given.service
    on conflict (service_id) do update set seen = excluded.seen`.execute(db)

/** The names that a message shows. */
export const namesOf = (db: Db, serviceIds: readonly number[]) =>
  db
    .selectFrom(serviceRows.as('service'))
    .innerJoin(stackRows.as('stack'), 'stack.id', 'service.stack_id')
    .innerJoin(clusterRows.as('environment'), 'environment.uuid', 'stack.environment')
    .select(['service.id', 'service.name', 'service.type', 'stack.id as stackId', 'stack.uuid as stackUuid'])
    .select(['stack.name as stackName', 'stack.team_id as teamId', 'stack.environment as envId'])
    .select('environment.name as cluster')
    .where(sql<boolean>`service.id = any(${[...serviceIds]}::int[])`)
    .execute()
export type Named = Awaited<ReturnType<typeof namesOf>>[number]

export type BlindReason = 'cluster' | 'metrics'

/** How long a source may be silent before anybody is notified: a restart of a server takes less. */
const blindMinutes = 3

/** Records that a cluster delivers no figures; returns the teams to notify now, each once. */
export async function recordGap(
  db: Db,
  clusterId: string,
  what: BlindReason,
  round: string,
  teams: readonly number[],
): Promise<number[]> {
  await sql`
    insert into alarm_blind (team_id, environment, what, since)
    select team.id, environment.uuid, ${what}::text, ${round}::timestamptz
    from team, environment where team.id = any(${[...teams]}::int[]) and environment.uuid = ${clusterId}
    order by team.id on conflict do nothing`.execute(db)
  const notified = await db
    .updateTable('alarm_blind')
    .set({ told: true })
    .where('environment', '=', clusterId)
    .where('what', '=', what)
    .where('told', '=', false)
    .where(sql<boolean>`since <= ${round}::timestamptz - make_interval(mins => ${blindMinutes}::int)`)
    .returning('team_id as teamId')
    .execute()
  return notified.map(({ teamId }) => teamId)
}

/** The cluster delivers figures again; returns the teams that were notified of the gap. */
export async function clearGap(db: Db, clusterId: string, what: BlindReason): Promise<number[]> {
  const gone = await db
    .deleteFrom('alarm_blind')
    .where('environment', '=', clusterId)
    .where('what', '=', what)
    .returning(['team_id as teamId', 'told'])
    .execute()
  return gone.flatMap(({ teamId, told }) => (told ? [teamId] : []))
}

export const anyBlind = async (db: Db): Promise<{ environment: string; what: BlindReason }[]> =>
  db.selectFrom('alarm_blind').select(['environment', 'what']).distinct().execute()
