import { alarmsTopic } from '@gantry/contract/alarms/topics'
import { type Condition, conditionKey } from '@gantry/contract/alarms/conditions'
import { type Ctx, inTx, scoped } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import {
  anyBlind,
  type BlindReason,
  clearGap,
  deleteStates,
  insertEvents,
  namesOf,
  type NewEvent,
  recordGap,
  stateKey,
  type StoredState,
  storedStates,
  type Watched,
  watchedNow,
  writeRestarts,
  writeStates,
  type Written,
} from './evaluate.store.ts'
import { clusterNamed } from '../../monitoring/public.ts'
import { figuresOf, holds, type Figure } from './figures.service.ts'
import { fresh, type AlarmProgress, type Step, step } from './machine.ts'
import { type Alarm, sendAlarms, sendGap } from '../channels/tell.service.ts'

export const roundSeconds = 60
const minute = 60_000

const asksMetrics = (watched: readonly Watched[]): boolean =>
  watched.some(({ conditions }) => conditions.some(({ metric }) => metric.endsWith('_percent')))

const standingOf = ({ state, since, memory, acknowledgedBy }: StoredState): AlarmProgress => ({
  ...memory,
  state,
  since: Date.parse(since),
  acknowledged: acknowledgedBy !== '',
})

interface Decided {
  watched: Watched
  condition: Condition
  value: number | null
  before: AlarmProgress
  done: Step
  written: Written
}

/** The next state of each condition of each service. A service that no longer runs resolves what it fired. */
function decide(
  watched: readonly Watched[],
  { figures }: Figure,
  known: ReadonlyMap<string, StoredState>,
  now: number,
): Decided[] {
  return watched.flatMap((one) => {
    const own = figures.get(one.serviceId)
    return one.conditions.flatMap((condition): Decided[] => {
      const name = conditionKey(condition)
      const stored = known.get(stateKey(one.ruleId, one.serviceId, name))
      if (!own && (stored === undefined || stored.state === 'ok')) return []
      const before = stored ? standingOf(stored) : fresh(now)
      const value = own ? own[condition.metric] : (stored?.value ?? null)
      const done = step(before, {
        now,
        holds: own ? holds(condition, value) : false,
        forMs: condition.for * minute,
        repeatMs: one.repeatHours * 60 * minute,
        silenced: one.silenced,
      })
      const { state, since, acknowledged, ...memory } = done.after
      return [
        {
          watched: one,
          condition,
          value,
          before,
          done,
          written: {
            rule: one.ruleId,
            service: one.serviceId,
            condition: name,
            severity: condition.severity,
            state,
            since: new Date(since).toISOString(),
            memory,
            value: value ?? stored?.value ?? null,
            acknowledged: acknowledged ? (stored?.acknowledgedBy ?? '') : '',
            before: stored?.round ?? null,
          },
        },
      ]
    })
  })
}

const eventOf = (
  { watched, condition, value, before, done: { after } }: Decided,
  kind: NewEvent['kind'],
  told: readonly string[],
): NewEvent => ({
  team: watched.teamId,
  rule: watched.ruleId,
  name: watched.ruleName,
  service: watched.serviceId,
  condition,
  kind,
  value,
  since: kind === 'fired' ? new Date(after.since).toISOString() : new Date(before.since).toISOString(),
  by: '',
  told,
})

/** Stores the decisions, and sends messages only for those that this server, and no other, has stored. */
async function conclude(ctx: Ctx, round: string, all: readonly Decided[]): Promise<void> {
  const ours = await writeStates(
    ctx.db,
    round,
    all.map(({ written }) => written),
  )
  const said = all.filter(
    ({ written: { rule, service, condition }, done }) =>
      (done.happened ?? done.tell) !== undefined && ours.has(stateKey(rule, service, condition)),
  )
  if (said.length === 0) return
  const names = new Map(
    (
      await namesOf(
        ctx.db,
        said.map(({ watched }) => watched.serviceId),
      )
    ).map((one) => [one.id, one]),
  )
  const known = said.filter(({ watched }) => names.has(watched.serviceId))
  const alarms = known.flatMap(({ watched, condition, value, before, done }): Alarm[] => {
    const service = names.get(watched.serviceId)
    if (!done.tell || !service) return []
    const since = done.tell === 'resolved' ? before.since : done.after.since
    const { ruleId, ruleName, teamId } = watched
    return [
      { message: done.tell, ruleId, ruleName, teamId, service, condition, value, since: new Date(since).toISOString() },
    ]
  })
  const notified = await sendAlarms(ctx, round, alarms)
  const events = known.flatMap((one) =>
    one.done.happened
      ? [eventOf(one, one.done.happened, one.done.tell ? (notified.get(one.watched.ruleId) ?? []) : [])]
      : [],
  )
  if (events.length > 0) await insertEvents(ctx.db, events)
  for (const teamId of new Set(known.map(({ watched }) => watched.teamId))) await publish(ctx, alarmsTopic, { teamId })
}

/** A silent cluster is one message per team, however much the team watches there. */
async function notifyIfSilent(
  ctx: Ctx,
  clusterId: string,
  what: BlindReason,
  isThere: boolean,
  round: string,
  watched: readonly Watched[],
): Promise<void> {
  const teams = [...new Set(watched.map(({ teamId }) => teamId))]
  const teamIds = isThere
    ? await clearGap(ctx.db, clusterId, what)
    : await recordGap(ctx.db, clusterId, what, round, teams)
  if (teamIds.length === 0) return
  const cluster = (await clusterNamed(ctx.db, clusterId))?.name ?? ''
  for (const teamId of teamIds) {
    const rules = watched.filter((one) => one.teamId === teamId && !one.silenced).map(({ ruleId }) => ruleId)
    await sendGap(ctx, { teamId, cluster, environment: clusterId, what, isThere, round, rules: [...new Set(rules)] })
  }
}

async function lookAt(
  ctx: Ctx,
  clusterId: string,
  watched: readonly Watched[],
  known: ReadonlyMap<string, StoredState>,
  now: number,
): Promise<void> {
  const round = new Date(now).toISOString()
  const services = [...new Set(watched.map(({ serviceId }) => serviceId))]
  const measured = await figuresOf(ctx, clusterId, services, { now, asksMetrics: asksMetrics(watched) })
  ctx.signal.throwIfAborted()
  await inTx(ctx, async (ctx) => {
    await conclude(ctx, round, decide(watched, measured, known, now))
    const over = [...known.values()].filter(
      ({ serviceId, state }) => state === 'ok' && services.includes(serviceId) && !measured.figures.has(serviceId),
    )
    await deleteStates(ctx.db, over)
    if (measured.restarts.length > 0) await writeRestarts(ctx.db, measured.restarts)
    await notifyIfSilent(ctx, clusterId, 'cluster', measured.cluster, round, watched)
    if (measured.cluster) await notifyIfSilent(ctx, clusterId, 'metrics', measured.metrics, round, watched)
  })
}

/**
 * One round over all enabled rules that watch something. Clusters are read concurrently, each result stored in a
 * transaction of its own. Repeated for the same minute, or by another server, it changes and sends nothing more.
 */
export async function evaluateAll(ctx: Ctx, at: number): Promise<void> {
  const now = Math.floor(at / (roundSeconds * 1000)) * roundSeconds * 1000
  const [watched, states] = [await watchedNow(ctx.db), await storedStates(ctx.db)]
  const current = new Set(
    watched.flatMap(({ ruleId, serviceId, conditions }) =>
      conditions.map((condition) => stateKey(ruleId, serviceId, conditionKey(condition))),
    ),
  )
  const keyOf = ({ ruleId, serviceId, condition }: StoredState) => stateKey(ruleId, serviceId, condition)
  // states that are no longer watched: of a changed threshold, or of a rule that was switched off
  await deleteStates(
    ctx.db,
    states.filter((state) => !current.has(keyOf(state))),
  )
  const known = new Map(states.map((state) => [keyOf(state), state]))
  const byCluster = Map.groupBy(watched, ({ environment }) => environment)
  for (const { environment, what } of await anyBlind(ctx.db))
    if (!byCluster.has(environment)) await clearGap(ctx.db, environment, what)
  await Promise.all(
    [...byCluster].map(([environment, own]) => {
      const one = scoped(ctx)
      return lookAt(one, environment, own, known, now).catch((error: unknown) => {
        if (!ctx.signal.aborted)
          one.log.error({ err: error, environment }, 'the alarms of a cluster were not evaluated')
      })
    }),
  )
}
