import { leaseSeconds, newSteps } from '@gantry/agent-protocol/protocol'
import { type Expression, sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'
import type { JobRow } from '../jobs/jobs.store.ts'
import { mayBegin } from './lanes.store.ts'
import { jobImageClusterRows } from '../../build-images/public.read.ts'

const lease = sql<string>`now() + make_interval(secs => ${leaseSeconds})`

export interface Claimer {
  id: number
  name: string
  labels: string[]
  capacity: number
  isolated: boolean
  osType: string
  executors: string[]
  /** The protocol version that it speaks. */
  protocol: string
  /** The only team whose jobs it takes; null for all teams. */
  teamId: number | null
  /** The uuid of the cluster where its Kubernetes jobs run; null if unknown. */
  environment: string | null
}

export interface ClaimedJob {
  jobId: number
  /** Its position in the build. */
  index: number
  buildId: number
  pipelineId: number
  teamId: number
  number: number
  attempt: number
  /** The key under which an agent keeps the workspace if the job fails. */
  workspace: string | null
  /** The key under which an agent keeps the workspace whole, for an attempt that resumes at a later stage. */
  resume: string | null
}

/**
 * The queued jobs, each with its turn: how many jobs of its team are running or ahead of it. The lowest turn goes
 * first, then the oldest build, so that no team occupies all slots while others wait.
 */
export const turns = (db: Db) =>
  db
    .selectFrom('build_job as queued')
    .leftJoin(
      (q) =>
        q
          .selectFrom('build_job')
          .select(['team_id', q.fn.countAll<number>().as('n')])
          .where('state', '=', 'building')
          .groupBy('team_id')
          .as('busy'),
      (join) => join.onRef('busy.team_id', '=', 'queued.team_id'),
    )
    .select(['queued.id', 'queued.queued_at'])
    .select(
      sql<number>`row_number() over (partition by queued.team_id order by queued.queued_at, queued.id) + coalesce(busy.n, 0)`.as(
        'turn',
      ),
    )
    .where('queued.state', '=', 'queued')

interface Taker {
  labels: Expression<string[]>
  isolated: Expression<boolean>
  osType: Expression<string>
  executors: Expression<string[]>
  protocol: Expression<string>
  teamId: Expression<number | null>
  environment: Expression<string | null>
}

/** Whether a job has steps that agents with the previous protocol version do not know. */
export const hasNewSteps = (job: string) =>
  sql<boolean>`exists (select from build_step as step where step.build_id = ${sql.ref(`${job}.build_id`)}
    and step.job = ${sql.ref(`${job}.index`)} and step.type = any(${newSteps.types}::text[]))`

/** Whether one of a job's images is limited to clusters that do not include this one. */
const isOutside = (job: string, environment: Taker['environment']) =>
  sql<boolean>`exists (select from ${jobImageClusterRows} as limited
    where limited.image_id = any(${sql.ref(`${job}.images`)}) and limited.team_id = ${sql.ref(`${job}.team_id`)}
    and not exists (select from ${jobImageClusterRows} as inside where inside.image_id = limited.image_id
      and inside.team_id = limited.team_id and inside.environment = ${environment}))`

/**
 * Whether an agent may run a job. An agent that cannot isolate steps takes only administrators' builds, and an image
 * that is limited to clusters runs only there. The limit is read when a job is leased: a change applies to queued jobs
 * too.
 */
export const mayRun = (job: string, { labels, isolated, osType, executors, protocol, teamId, environment }: Taker) =>
  sql<boolean>`(${sql.ref(`${job}.labels`)} <@ ${labels} and ${sql.ref(`${job}.os_type`)} = ${osType}
    and (${teamId} is null or ${sql.ref(`${job}.team_id`)} = ${teamId})
    and coalesce(${sql.ref(`${job}.executor`)}, 'process') = any(${executors})
    and (${isolated} or ${sql.ref(`${job}.by_admin`)})
    and (${protocol} <> ${newSteps.unknownTo} or not ${hasNewSteps(job)})
    and (${sql.ref(`${job}.executor`)} is distinct from 'kubernetes' or not ${isOutside(job, environment)}))`

/**
 * Whether several teams use an agent. A team does if it has a job that the agent may run and that is queued, running or
 * ended within the last hour.
 */
export const isShared = (agent: Taker) =>
  sql<boolean>`(select count(distinct used.team_id) > 1 from build_job as used
    where (used.state in ('queued', 'building') or used.ended_at > now() - interval '1 hour') and ${mayRun('used', agent)})`

/** How many slots of a shared agent one team may hold; at least one. */
export const maxPerTeam = (capacity: number, kept: number): number => Math.max(1, capacity - kept)

export const taker = ({
  labels,
  isolated,
  osType,
  executors,
  protocol,
  teamId,
  environment,
}: Omit<Claimer, 'id' | 'name'>): Taker => ({
  labels: sql`${labels}::text[]`,
  isolated: sql`${isolated}::boolean`,
  osType: sql`${osType}::text`,
  executors: sql`${executors}::text[]`,
  protocol: sql`${protocol}::text`,
  teamId: sql`${teamId}::int`,
  environment: sql`${environment}::uuid`,
})

/**
 * The jobs that this agent may run, each with its `share`: how many of the agent's slots its team would then hold. Jobs
 * that a concurrent claim is taking still count as queued, so that both claims choose from the same few.
 */
const turnsFor = (db: Db, agent: Claimer) =>
  turns(db)
    .leftJoin(
      (q) =>
        q
          .selectFrom('build_job')
          .select(['team_id', q.fn.countAll<number>().as('n')])
          .where('state', '=', 'building')
          .where('agent_id', '=', agent.id)
          .groupBy('team_id')
          .as('held'),
      (join) => join.onRef('held.team_id', '=', 'queued.team_id'),
    )
    .select(
      sql<number>`row_number() over (partition by queued.team_id order by queued.queued_at, queued.id) + coalesce(held.n, 0)`.as(
        'share',
      ),
    )
    .where(mayRun('queued', taker(agent)))
    .where(mayBegin('queued'))

/**
 * Leases up to `free` of the queued jobs that this agent may run, ordered by turn; `skip locked` lets agents claim
 * concurrently. The agent never holds more than its capacity. While several teams use it, one team gets all but `kept`
 * slots. If two agents begin two exclusive builds of a pipeline at once, an index refuses one, and its agent claims
 * again.
 */
export async function leaseJobs(db: Db, agent: Claimer, free: number, kept: number): Promise<ClaimedJob[]> {
  // One job after another is looked up and locked, in the order of their turns, until there are enough: a join of all
  // queued jobs would compare each with each, because the planner expects one row of `turnsFor`.
  const chosen = db
    .selectFrom(turnsFor(db, agent).orderBy('turn').orderBy('queued.queued_at').orderBy('queued.id').as('mine'))
    .innerJoinLateral(
      (q) =>
        q
          .selectFrom('build_job as waiting')
          .select('waiting.id')
          .whereRef('waiting.id', '=', 'mine.id')
          // checked again once the row is locked, because another agent may have claimed it since
          .where('waiting.state', '=', 'queued')
          .forUpdate()
          .skipLocked()
          .as('locked'),
      (join) => join.onTrue(),
    )
    .select('locked.id')
    .where((w) => w.or([w('mine.share', '<=', maxPerTeam(agent.capacity, kept)), w.not(isShared(taker(agent)))]))
    .limit(
      sql<number>`greatest(0, least(${free}, ${agent.capacity} - (select count(*) from build_job as running
        where running.agent_id = ${agent.id} and running.state = 'building')))`,
    )
  const { rows } = await sql<ClaimedJob>`
    with taken as (
      update build_job set state = 'building', agent_id = ${agent.id}, agent_name = ${agent.name},
        lease_until = ${lease}, attempt = attempt + 1, last_event = 0, started_at = coalesce(started_at, now())
      where id in (${chosen})
      returning id, index, build_id, pipeline_id, team_id, attempt, workspace, resume
    ), locked as (
      select id from build where id in (select build_id from taken) order by id for no key update
    ), begun as (
      update build set state = 'building', agent_name = ${agent.name}, started_at = coalesce(started_at, now()),
        attempt = greatest(build.attempt, (select max(attempt) from taken where build_id = build.id))
      from locked where build.id = locked.id
      returning build.id, build.number
    )
    select taken.id as "jobId", taken.index, taken.build_id as "buildId", taken.pipeline_id as "pipelineId",
      taken.team_id as "teamId", begun.number, taken.attempt, taken.workspace, taken.resume
    from taken join begun on begun.id = taken.build_id`.execute(db)
  return rows
}

const claimed = (db: Db) =>
  db
    .selectFrom('build_job')
    .innerJoin('build', 'build.id', 'build_job.build_id')
    .select([
      'build_job.id as jobId',
      'build_job.index',
      'build_job.build_id as buildId',
      'build_job.pipeline_id as pipelineId',
      'build_job.team_id as teamId',
      'build.number',
      'build_job.attempt',
      'build_job.workspace',
      'build_job.resume',
    ])

export const claimedJob = (db: Db, jobId: number): Promise<ClaimedJob> =>
  claimed(db).where('build_job.id', '=', jobId).executeTakeFirstOrThrow()

/** Jobs leased to this agent in an answer that was lost: it has sent no event for them and does not hold them. */
export const undelivered = (db: Db, agentId: number, holding: number[]): Promise<ClaimedJob[]> =>
  claimed(db)
    .where('build_job.agent_id', '=', agentId)
    .where('build_job.state', '=', 'building')
    .where('build_job.last_event', '=', 0)
    .where(sql<boolean>`build_job.id <> all(${holding}::int[])`)
    .execute()

export interface LeaseKey {
  jobId: number
  attempt: number
}

/**
 * Renews the leases that the agent still holds, and returns which of their builds were stopped. Jobs that are not
 * returned are no longer the agent's. Rows are locked in the same order as by changes of a whole build.
 */
export const extendLeases = async (
  db: Db,
  agentId: number,
  leases: LeaseKey[],
): Promise<(LeaseKey & { cancelled: boolean })[]> =>
  leases.length === 0
    ? []
    : db
        .with('still', (q) =>
          q
            .selectFrom('build_job')
            .select('id')
            .where('agent_id', '=', agentId)
            .where('state', '=', 'building')
            .where((is) =>
              is.or(leases.map(({ jobId, attempt }) => is.and([is('id', '=', jobId), is('attempt', '=', attempt)]))),
            )
            .orderBy('id')
            .forNoKeyUpdate(),
        )
        .updateTable('build_job')
        .from(['still', 'build'])
        .set({ lease_until: lease })
        .whereRef('build_job.id', '=', 'still.id')
        .whereRef('build.id', '=', 'build_job.build_id')
        .returning(['build_job.id as jobId', 'build_job.attempt', 'build.cancelled'])
        .execute()

export const cancelledAmong = async (db: Db, agentId: number, leases: LeaseKey[]): Promise<number[]> =>
  leases.length === 0
    ? []
    : (
        await db
          .selectFrom('build_job')
          .innerJoin('build', 'build.id', 'build_job.build_id')
          .select('build_job.id')
          .where('build_job.agent_id', '=', agentId)
          .where('build_job.state', '=', 'building')
          .where('build.cancelled', '=', true)
          .where(
            'build_job.id',
            'in',
            leases.map(({ jobId }) => jobId),
          )
          .execute()
      ).map((row) => row.id)

export interface HeldJob extends Omit<ClaimedJob, 'workspace' | 'resume'> {
  lastEvent: number
  retriesLeft: number
  cancelled: boolean
}

/** The job of this attempt, locked, with its lease renewed; undefined if the agent no longer holds it. */
export const lockHeld = (db: Db, agentId: number, key: LeaseKey): Promise<HeldJob | undefined> =>
  db
    .updateTable('build_job')
    .from('build')
    .set({ lease_until: lease })
    .whereRef('build.id', '=', 'build_job.build_id')
    .where('build_job.id', '=', key.jobId)
    .where('build_job.agent_id', '=', agentId)
    .where('build_job.attempt', '=', key.attempt)
    .where('build_job.state', '=', 'building')
    .returning([
      'build_job.id as jobId',
      'build_job.index',
      'build_job.build_id as buildId',
      'build_job.pipeline_id as pipelineId',
      'build_job.team_id as teamId',
      'build.number',
      'build_job.attempt',
      'build_job.last_event as lastEvent',
      'build_job.retries_left as retriesLeft',
      'build.cancelled',
    ])
    .executeTakeFirst()

/** Locks the jobs of a job's build, whoever holds it, in the order of lockJobs. */
export const lockJobsBeside = (db: Db, jobId: number) =>
  db
    .selectFrom('build_job')
    .select('id')
    .where('build_id', '=', (q) => q.selectFrom('build_job as own').select('own.build_id').where('own.id', '=', jobId))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

export const setLastEvent = (db: Db, jobId: number, last: number) =>
  db.updateTable('build_job').set({ last_event: last }).where('id', '=', jobId).execute()

/** The builds with jobs whose lease has expired. */
export const buildsWithLostJobs = async (db: Db): Promise<number[]> =>
  (
    await db
      .selectFrom('build_job')
      .select('build_id')
      .distinct()
      .where('state', '=', 'building')
      .where('lease_until', '<', sql<string>`now()`)
      .limit(100)
      .execute()
  ).map((row) => row.build_id)

export type LostJob = Pick<JobRow, 'id' | 'index' | 'attempt' | 'losses' | 'agentName'>

/** The jobs of a build whose lease has expired. The caller has locked all jobs of the build. */
export const lostJobs = (db: Db, buildId: number): Promise<LostJob[]> =>
  db
    .selectFrom('build_job')
    .select(['id', 'index', 'attempt', 'losses', 'agent_name as agentName'])
    .where('build_id', '=', buildId)
    .where('state', '=', 'building')
    .where('lease_until', '<', sql<string>`now()`)
    .orderBy('index')
    .execute()
