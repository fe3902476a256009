import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.gen.ts'
import { agentRows } from '../../agents/public.read.ts'

type Db = Kysely<Tables>

/** A job of a build with its agent, and its running or failed step. */
export const findJob = (db: Db, pipelineId: number, number: number, index: number) =>
  db
    .selectFrom('build_job as job')
    .innerJoin('build', 'build.id', 'job.build_id')
    .leftJoin(agentRows.as('agent'), 'agent.id', 'job.agent_id')
    .leftJoinLateral(
      (q) =>
        q
          .selectFrom('build_step')
          .select(['index', 'name', 'type'])
          .whereRef('build_step.build_id', '=', 'job.build_id')
          .whereRef('build_step.job', '=', 'job.index')
          .whereRef('build_step.state', '=', 'job.state')
          .orderBy('index')
          .limit(1)
          .as('step'),
      (join) => join.onTrue(),
    )
    .select(['job.id as jobId', 'job.attempt', 'job.state', 'job.name', 'job.matrix', 'job.workspace', 'job.executor'])
    .select(['agent.id as agentId', 'agent.name as agentName', 'agent.isolated'])
    .select(sql<boolean>`coalesce(agent.last_seen_at > now() - interval '60 seconds', false)`.as('online'))
    .select(['step.index as step', 'step.name as stepName', 'step.type as stepType'])
    .where('build.pipeline_id', '=', pipelineId)
    .where('build.number', '=', number)
    .where('job.index', '=', index)
    .executeTakeFirst()

interface TerminalOf {
  agentId: number
  jobId: number
  attempt: number
  step: number | null
}

/** Returns the terminal's id. */
export const requestTerminal = async (db: Db, { agentId, jobId, attempt, step }: TerminalOf): Promise<string> =>
  (
    await db
      .insertInto('build_terminal')
      .values({ agent_id: agentId, job_id: jobId, attempt, step })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

export const forgetTerminal = (db: Db, id: string) => db.deleteFrom('build_terminal').where('id', '=', id).execute()

/** Deletes and returns an agent's requests, each once. After half a minute nobody waits for a terminal any more. */
export const takeRequests = (db: Db, agentId: number) =>
  db
    .deleteFrom('build_terminal')
    .where('agent_id', '=', agentId)
    .returning(['id', 'job_id as jobId', 'attempt', 'step'])
    .returning(sql<boolean>`asked_at > now() - interval '30 seconds'`.as('awaited'))
    .execute()
