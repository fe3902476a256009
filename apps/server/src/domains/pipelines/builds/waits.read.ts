import type { BuildWait } from '@gantry/contract/pipelines/builds/wait'
import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'

/** The waits of a build and of the latest attempts of its jobs, without those that ended at an unknown time. */
export async function waitsOf(db: Db, buildId: number): Promise<BuildWait[]> {
  const { rows } = await sql<BuildWait>`
    with build as (select id, ended_at, queued_at from build where id = ${buildId}), waits as (
      (select 'review' as "for", null::int as stage, null::int as job, coalesce(requested_at, queued_at) as "from",
        coalesce(review.ended_at, build.ended_at) as "to", review.state = 'waiting' as open
      from build join build_review as review on review.build_id = build.id
      order by round desc limit 1)
      union all
      select case mode when 'manual' then 'start' else 'approval' end, stage_index, null, opened_at, gate.ended_at,
        gate.state = 'waiting'
      from build join build_gate as gate on gate.build_id = build.id
      union all
      select 'agent', null, index, ready_at, coalesce(started_at, job.ended_at), job.state = 'queued'
      from build join build_job as job on job.build_id = build.id
      where ready_at is not null
    )
    select "for", stage, job, "from", "to" from waits where "to" is not null or open
    order by "from", stage nulls first, job`.execute(db)
  return rows
}
