import type { LatestBuild, Overview } from '@gantry/contract/dashboard/overview'
import { serviceStateGroups } from '@gantry/contract/stacks/states'
import { sql } from 'kysely'
import type { Db } from '../../db/tables.gen.ts'
import { buildRows, pipelineRows } from '../pipelines/public.read.ts'
import { serviceRows, stackRows } from '../stacks/public.read.ts'

type Part<K extends keyof Overview> = NonNullable<Overview[K]>

export const countPipelines = (db: Db, teamId: number): Promise<Part<'pipelines'>> =>
  db
    .selectFrom(pipelineRows.as('pipeline'))
    .leftJoinLateral(
      (q) =>
        q
          .selectFrom(buildRows.as('build'))
          .whereRef('build.pipeline_id', '=', 'pipeline.id')
          .select('build.state')
          .orderBy('build.number', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .where('pipeline.team_id', '=', teamId)
    .select((n) => [
      n.fn.countAll<number>().as('total'),
      sql<number>`count(*) filter (where last.state = 'queued')`.as('queued'),
      sql<number>`count(*) filter (where last.state = 'building')`.as('building'),
      sql<number>`count(*) filter (where last.state = 'failed')`.as('failed'),
    ])
    .executeTakeFirstOrThrow()

export async function readBuilds(db: Db, teamId: number): Promise<Part<'builds'>> {
  const [hours, latest] = await Promise.all([lastDay(db, teamId), newest(db, teamId)])
  const day = { success: 0, failed: 0, aborted: 0 }
  for (const hour of hours) {
    day.success += hour.success
    day.failed += hour.failed
    day.aborted += hour.aborted
  }
  return { day, hours, latest }
}

interface Hour {
  success: number
  failed: number
  aborted: number
}

/** The last 24 whole hours, by the database's clock. */
async function lastDay(db: Db, teamId: number): Promise<Hour[]> {
  const { rows } = await sql<Hour>`
    select count(*) filter (where build.state = 'success') as success,
      count(*) filter (where build.state = 'failed') as failed,
      count(*) filter (where build.state = 'aborted') as aborted
    from generate_series(23, 0, -1) as hour (back)
    left join ${buildRows} build on build.team_id = ${teamId} and build.ended_at > now() - interval '24 hours'
      and floor(extract(epoch from now() - build.ended_at) / 3600) = hour.back
    group by hour.back order by hour.back desc`.execute(db)
  return rows
}

const newest = (db: Db, teamId: number): Promise<LatestBuild[]> =>
  db
    .selectFrom(buildRows.as('build'))
    .innerJoin(pipelineRows.as('pipeline'), 'pipeline.id', 'build.pipeline_id')
    .where('build.team_id', '=', teamId)
    .select([
      'build.pipeline_id as pipelineId',
      'pipeline.name as pipelineName',
      'pipeline.group_id as groupId',
      'build.number',
      'build.state',
      'build.cause',
      'build.user_cause as userCause',
      'build.branch',
      'build.commit',
      'build.commit_message as commitMessage',
      'build.queued_at as queuedAt',
      'build.started_at as startedAt',
      'build.ended_at as endedAt',
    ])
    .orderBy('build.id', 'desc')
    .limit(8)
    .execute()

export const countStacks = (db: Db, teamId: number): Promise<Part<'stacks'>> =>
  db
    .selectFrom(stackRows.as('stack'))
    .where('team_id', '=', teamId)
    .select((n) => [
      n.fn.countAll<number>().as('total'),
      sql<number>`count(*) filter (where state = 'running')`.as('running'),
      sql<number>`count(*) filter (where state = 'failed')`.as('failed'),
    ])
    .executeTakeFirstOrThrow()

export const countServices = (db: Db, teamId: number): Promise<Part<'services'>> =>
  db
    .selectFrom(serviceRows.as('service'))
    .innerJoin(stackRows.as('stack'), 'stack.id', 'service.stack_id')
    .where('stack.team_id', '=', teamId)
    .select((n) => [
      n.fn.countAll<number>().as('total'),
      sql<number>`count(*) filter (where service.state in (${sql.join(serviceStateGroups.healthy)}))`.as('healthy'),
      sql<number>`count(*) filter (where service.state in (${sql.join(serviceStateGroups.changing)}))`.as('changing'),
      sql<number>`count(*) filter (where service.state = 'failed')`.as('failed'),
      sql<number>`count(*) filter (where service.state = 'upgraded')`.as('waiting'),
    ])
    .executeTakeFirstOrThrow()
