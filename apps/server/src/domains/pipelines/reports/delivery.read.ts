import type { Delivery } from '@gantry/contract/pipelines/reports'
import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'
import { perSlot, slotOfEnd, endedWithin } from './in-slots.read.ts'
import type { Slots } from './periods.ts'

/** The pipelines that a report is about. */
export type Scope = { pipelineId: number } | { groupId: number } | { teamId: number }

function pipelinesOf(scope: Scope) {
  if ('pipelineId' in scope) return sql<boolean>`pipeline.id = ${scope.pipelineId}`
  return 'groupId' in scope
    ? sql<boolean>`pipeline.group_id = ${scope.groupId}`
    : sql<boolean>`pipeline.team_id = ${scope.teamId}`
}

type Figures = Omit<Delivery, 'unit' | 'startTime' | 'endTime' | 'items' | 'perDay'>
const none: Figures = {
  deployments: 0,
  failedDeployments: 0,
  leadSeconds: null,
  failureRate: null,
  restoreSeconds: null,
}

const day = 86_400_000
const perDay = (deployments: number, { startTime, endTime }: { startTime: number; endTime: number }): number =>
  deployments / Math.max(1, (endTime - startTime) / day)

/**
 * DORA's figures. A deployment is a build with a deploy step that has ended; it failed if one of them did. The lead
 * time is from a build's trigger to its end. The time to restore is from a pipeline's first failed deployment to its
 * next success in the period.
 */
export async function readDelivery(
  db: Db,
  scope: Scope,
  slots: Slots,
): Promise<Omit<Delivery, 'unit' | 'startTime' | 'endTime'>> {
  const { rows } = await sql<Figures & { slot: number | null }>`
    with numbered as (
      select ended.*, pipeline.id as pipeline_id, count(*) filter (where deployment = 'success')
        over (partition by pipeline.id order by ended_at, ended.id rows between unbounded preceding and 1 preceding) as successes
      from pipeline
      cross join lateral (
        select id, queued_at, ended_at, deployment from build
        where pipeline_id = pipeline.id and ${endedWithin(slots)} and deployment is not null offset 0
      ) as ended
      where ${pipelinesOf(scope)}
    ), told as (
      select *, min(ended_at) filter (where deployment = 'failed') over (partition by pipeline_id, successes) as failed_at from numbered
    )
    select ${slotOfEnd(slots)} as slot,
      count(*) filter (where deployment = 'success') as deployments,
      count(*) filter (where deployment = 'failed') as "failedDeployments",
      extract(epoch from avg(ended_at - queued_at) filter (where deployment = 'success'))::float8 as "leadSeconds",
      (count(*) filter (where deployment = 'failed'))::float8 / nullif(count(*), 0) as "failureRate",
      extract(epoch from avg(ended_at - failed_at) filter (where deployment = 'success'))::float8 as "restoreSeconds"
    from told group by grouping sets ((1), ())`.execute(db)
  const { items, ...whole } = perSlot(slots, rows, none)
  return {
    ...whole,
    perDay: perDay(whole.deployments, slots),
    items: items.map((item) => ({ ...item, perDay: perDay(item.deployments, item) })),
  }
}
