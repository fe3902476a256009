import type { AgentJob } from '@gantry/contract/agents/agents'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { countMatches } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { jobTitle } from '../jobs/title.ts'
import { type Claimer, mayRun, taker, turns } from './leases.store.ts'

const rows = (db: Db) =>
  db
    .selectFrom('build_job')
    .innerJoin('build', 'build.id', 'build_job.build_id')
    .innerJoin('pipeline', 'pipeline.id', 'build.pipeline_id')
    .innerJoin('team', 'team.id', 'build.team_id')
    .select(['build_job.id as jobId', 'build_job.name as jobName', 'build_job.matrix', 'build_job.state'])
    .select(['build_job.attempt', 'build_job.started_at as startedAt'])
    .select(sql<string>`coalesce(build_job.ready_at, build_job.queued_at)`.as('queuedAt'))
    .select(['build_job.ended_at as endedAt', 'build.id as queueId', 'build.number'])
    .select(['pipeline.id as pipelineId', 'pipeline.group_id as appId', 'pipeline.name'])
    .select(['team.id as teamId', 'team.name as teamName'])

type Row = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>

const toAgentJob = ({ jobName, matrix, ...row }: Row): AgentJob => ({
  ...row,
  job: jobTitle({ name: jobName, matrix }),
})

/** The running jobs of an agent, oldest first. */
export const jobsRunningOn = async (db: Db, agentId: number): Promise<AgentJob[]> =>
  (
    await rows(db)
      .where('build_job.agent_id', '=', agentId)
      .where('build_job.state', '=', 'building')
      .orderBy('build_job.started_at')
      .orderBy('build_job.id')
      .execute()
  ).map(toAgentJob)

/** A job that an agent runs or has run. */
export async function jobOnAgent(db: Db, agentId: number, jobId: number): Promise<AgentJob | undefined> {
  const row = await rows(db)
    .where('build_job.agent_id', '=', agentId)
    .where('build_job.id', '=', jobId)
    .executeTakeFirst()
  return row && toAgentJob(row)
}

/** The jobs that ended on an agent, last first, without attempts that were lost or repeated. */
export async function jobsRanOn(db: Db, agentId: number, at: Page): Promise<List<AgentJob>> {
  const of = rows(db).where('build_job.agent_id', '=', agentId).where('build_job.ended_at', 'is not', null)
  const items = await of
    .orderBy('build_job.ended_at', 'desc')
    .orderBy('build_job.id', 'desc')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items.map(toAgentJob), await countMatches(db, of.clearSelect()), at)
}

/** The queued jobs that an agent may take, in the order in which it would take them. */
export async function jobsQueuedFor(db: Db, agent: Omit<Claimer, 'id' | 'name'>, at: Page): Promise<List<AgentJob>> {
  const of = rows(db)
    .innerJoin(turns(db).as('place'), 'place.id', 'build_job.id')
    .where(mayRun('build_job', taker(agent)))
  const items = await of
    .orderBy('place.turn')
    .orderBy('build_job.queued_at')
    .orderBy('build_job.id')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items.map(toAgentJob), await countMatches(db, of.clearSelect()), at)
}
