import type {
  Ability,
  PipelineAbility,
  RecoverAvg,
  StageMeta,
  StateDistribution,
} from '@gantry/contract/pipelines/reports'
import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'
import { endOf, perSlot, slotOfEnd, startOf, endedWithin } from './in-slots.read.ts'
import type { Slots } from './periods.ts'

/** A report without the times of its period. */
type Figures<R> = Omit<R, 'unit' | 'startTime' | 'endTime'>

const counts = sql`count(*) filter (where state = 'success') as success,
  count(*) filter (where state = 'failed') as failed,
  count(*) filter (where state = 'aborted') as aborted`

type Counts = Record<'success' | 'failed' | 'aborted', number>
const none: Counts = { success: 0, failed: 0, aborted: 0 }

export async function readStates(db: Db, pipelineId: number, slots: Slots): Promise<Figures<StateDistribution>> {
  const { rows } = await sql<Counts & { slot: number | null }>`
    select ${slotOfEnd(slots)} as slot, ${counts} from build
    where pipeline_id = ${pipelineId} and ${endedWithin(slots)}
    group by grouping sets ((1), ())`.execute(db)
  return perSlot(slots, rows, none)
}

/**
 * A build that never started has no duration and no wait for an agent. A retried build has the duration of all its runs
 * without the pauses between them. Waits for people do not count.
 */
const ability = sql`${counts},
  (count(*) filter (where state = 'success'))::float8 / nullif(count(*) filter (where state <> 'aborted'), 0) as "successRate",
  (avg(extract(epoch from ended_at - started_at)::float8 + earlier_seconds - waited_seconds) filter (where state = 'success'))::float8 as seconds,
  extract(epoch from avg(coalesce(first_started_at, started_at) - queued_at))::float8 as "waitSeconds"`

type AbilityRow = Counts & Record<'successRate' | 'seconds' | 'waitSeconds', number | null>
const noAbility: AbilityRow = { ...none, successRate: null, seconds: null, waitSeconds: null }

export async function readAbility(db: Db, pipelineId: number, slots: Slots): Promise<Figures<Ability>> {
  const { rows } = await sql<AbilityRow & { slot: number | null }>`
    select ${slotOfEnd(slots)} as slot, ${ability} from build
    where pipeline_id = ${pipelineId} and ${endedWithin(slots)}
    group by grouping sets ((1), ())`.execute(db)
  return perSlot(slots, rows, noAbility)
}

/** In the order of the ids, including pipelines without builds. */
export async function readAbilities(db: Db, ids: number[], slots: Slots): Promise<PipelineAbility[]> {
  const { rows } = await sql<PipelineAbility>`
    select pipeline.id as "pipelineId", pipeline.group_id as "appId", pipeline.name as "projectName", figures.*
    from unnest(${ids}::int[]) with ordinality as asked (id, place)
    join pipeline on pipeline.id = asked.id
    cross join lateral (
      select ${ability} from build where pipeline_id = pipeline.id and ${endedWithin(slots)}
    ) as figures
    order by place`.execute(db)
  return rows
}

interface Recoveries {
  recoveries: number
  seconds: number | null
  failingSince: number | null
}
const noRecovery: Recoveries = { recoveries: 0, seconds: null, failingSince: null }

/**
 * From the end of the first failed build to the end of the next successful one, ignoring aborted builds. Counted in the
 * slot of the recovery, whenever the failure began.
 */
export async function readRecoveries(db: Db, pipelineId: number, slots: Slots): Promise<Figures<RecoverAvg>> {
  const { rows } = await sql<Recoveries & { slot: number | null }>`
    with considered as (
      select ended_at, state, id from build
      where pipeline_id = ${pipelineId} and state in ('success', 'failed') and ended_at < ${endOf(slots)} and ended_at >= coalesce(
        (select ended_at from build where pipeline_id = ${pipelineId} and state = 'success' and ended_at < ${startOf(slots)}
          order by ended_at desc limit 1),
        '-infinity')
    ), numbered as (
      select *, count(*) filter (where state = 'success')
        over (order by ended_at, id rows between unbounded preceding and 1 preceding) as successes
      from considered
    ), spell as (
      select min(ended_at) filter (where state = 'failed') as failed_at, max(ended_at) filter (where state = 'success') as ended_at
      from numbered group by successes
    )
    select ${slotOfEnd(slots)} as slot,
      count(ended_at) as recoveries,
      extract(epoch from avg(ended_at - failed_at))::float8 as seconds,
      (extract(epoch from max(failed_at) filter (where ended_at is null)) * 1000)::float8 as "failingSince"
    from spell where failed_at is not null and (ended_at is null or ended_at >= ${startOf(slots)})
    group by grouping sets ((1), ())`.execute(db)
  const { failingSince, ...report } = perSlot(slots, rows, noRecovery)
  return {
    ...report,
    items: report.items.map(({ failingSince: _, ...item }) => item),
    failingSince: failingSince === null ? null : Math.round(failingSince),
  }
}

/** If there are more builds, only the newest are read, because each has many steps. */
export const stageBuilds = 10_000

interface StepRow {
  stage: string
  name: string
  type: string
  runs: number
  failed: number
  seconds: number | null
  total: number
  builds: number
}

/** Stages and steps with the same name are added up over all builds. */
export async function readStages(db: Db, pipelineId: number, slots: Slots): Promise<Figures<StageMeta>> {
  const { rows } = await sql<StepRow>`
    with considered as (
      select id from build where pipeline_id = ${pipelineId} and ${endedWithin(slots)}
      order by ended_at desc limit ${stageBuilds + 1}
    )
    select step.stage, step.name, step.type,
      count(*) as runs,
      count(*) filter (where step.state = 'failed') as failed,
      extract(epoch from avg(step.ended_at - step.started_at))::float8 as seconds,
      coalesce(extract(epoch from sum(step.ended_at - step.started_at)), 0)::float8 as total,
      (select count(*) from considered) as builds
    from considered
    cross join lateral (
      select * from build_step where build_id = considered.id and started_at is not null offset 0
    ) as step
    group by 1, 2, 3
    order by min(step.stage_index), min(step.index), 1, 2, 3`.execute(db)
  const builds = rows[0]?.builds ?? 0
  return {
    builds: Math.min(builds, stageBuilds),
    truncated: builds > stageBuilds,
    stages: [...Map.groupBy(rows, ({ stage }) => stage)].map(([name, steps]) => stageOf(name, steps)),
  }
}

/** A stage has run as often as its most frequent step. */
function stageOf(name: string, steps: StepRow[]): StageMeta['stages'][number] {
  const runs = Math.max(...steps.map((step) => step.runs))
  return {
    name,
    runs,
    failed: steps.reduce((sum, step) => sum + step.failed, 0),
    seconds: steps.reduce((sum, step) => sum + step.total, 0) / runs,
    steps: steps.map(({ name, type, runs, failed, seconds }) => ({ name, type, runs, failed, seconds })),
  }
}
