import type { LatestBuild, Overview } from '@gantry/contract/dashboard/overview'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.gen.ts'

type Db = Kysely<Tables>
type Part<K extends keyof Overview> = NonNullable<Overview[K]>

export const countPipelines = (db: Db, teamId: number): Promise<Part<'pipelines'>> =>
  db
    .selectFrom('pipeline')
    .where('team_id', '=', teamId)
    .select((n) => n.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()

export async function readBuilds(db: Db, teamId: number): Promise<Part<'builds'>> {
  const [waiting, hours, latest] = await Promise.all([running(db, teamId), lastDay(db, teamId), newest(db, teamId)])
  const day = { success: 0, failed: 0, aborted: 0 }
  for (const hour of hours) {
    day.success += hour.success
    day.failed += hour.failed
    day.aborted += hour.aborted
  }
  return { ...waiting, day, hours, latest }
}

const running = (db: Db, teamId: number): Promise<{ queued: number; building: number }> =>
  db
    .selectFrom('build')
    .where('team_id', '=', teamId)
    .where('state', 'in', ['queued', 'building'])
    .select([
      sql<number>`count(*) filter (where state = 'queued')`.as('queued'),
      sql<number>`count(*) filter (where state = 'building')`.as('building'),
    ])
    .executeTakeFirstOrThrow()

interface Hour {
  success: number
  failed: number
  aborted: number
}

/** By the database's clock: 24 whole hours back from now. */
async function lastDay(db: Db, teamId: number): Promise<Hour[]> {
  const { rows } = await sql<Hour>`
    select count(*) filter (where build.state = 'success') as success,
      count(*) filter (where build.state = 'failed') as failed,
      count(*) filter (where build.state = 'aborted') as aborted
    from generate_series(23, 0, -1) as hour (back)
    left join build on build.team_id = ${teamId} and build.ended_at > now() - interval '24 hours'
      and floor(extract(epoch from now() - build.ended_at) / 3600) = hour.back
    group by hour.back order by hour.back desc`.execute(db)
  return rows
}

const newest = (db: Db, teamId: number): Promise<LatestBuild[]> =>
  db
    .selectFrom('build')
    .innerJoin('pipeline', 'pipeline.id', 'build.pipeline_id')
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
    .selectFrom('stack')
    .where('team_id', '=', teamId)
    .select((n) => [
      n.fn.countAll<number>().as('total'),
      sql<number>`count(*) filter (where state = 'running')`.as('running'),
      sql<number>`count(*) filter (where state = 'failed')`.as('failed'),
    ])
    .executeTakeFirstOrThrow()

export const countServices = (db: Db, teamId: number): Promise<Part<'services'>> =>
  db
    .selectFrom('service')
    .innerJoin('stack', 'stack.id', 'service.stack_id')
    .where('stack.team_id', '=', teamId)
    .select((n) => [
      n.fn.countAll<number>().as('total'),
      sql<number>`count(*) filter (where service.state in ('stable', 'upgraded'))`.as('healthy'),
      sql<number>`count(*) filter (where service.state not in ('stable', 'upgraded', 'failed'))`.as('changing'),
      sql<number>`count(*) filter (where service.state = 'failed')`.as('failed'),
      sql<number>`count(*) filter (where service.state = 'upgraded')`.as('waiting'),
    ])
    .executeTakeFirstOrThrow()
