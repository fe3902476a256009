import { leaseSeconds } from '@gantry/agent-protocol/protocol'
import { type Expression, type Kysely, sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import type { Tables } from '../../../db/tables.gen.ts'
import type { StoredReason } from '../builds/builds.store.ts'
import { buildStatesBefore } from '../builds/states.ts'

type Db = Kysely<Tables>

const lease = sql<string>`now() + make_interval(secs => ${leaseSeconds})`

export interface Claimer {
  id: number
  name: string
  labels: string[]
  capacity: number
  isolated: boolean
}

export interface ClaimedBuild {
  id: number
  pipelineId: number
  teamId: number
  number: number
  attempt: number
}

/**
 * The queue, each build with its turn: how many builds of its team run or are ahead of it. The lowest turn goes first,
 * then the oldest: no team's builds occupy all slots while others wait.
 */
export const turns = (db: Db) =>
  db
    .selectFrom('build as queued')
    .leftJoin(
      (q) =>
        q
          .selectFrom('build')
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
}

/** Whether an agent may run a build: one that cannot isolate steps takes administrators' builds only. */
const mayRun = (build: string, { labels, isolated }: Taker) =>
  sql<boolean>`(${sql.ref(`${build}.agent_labels`)} <@ ${labels} and (${isolated} or ${sql.ref(`${build}.by_admin`)}))`

/**
 * Whether several teams use an agent: each has a build that it may run and that waits, runs or ended within the last
 * hour.
 */
export const isShared = (agent: Taker) =>
  sql<boolean>`(select count(distinct used.team_id) > 1 from build as used
    where (used.ended_at is null or used.ended_at > now() - interval '1 hour') and ${mayRun('used', agent)})`

/** How many slots of a shared agent one team may hold; at least one. */
export const mostOfTeam = (capacity: number, kept: number): number => Math.max(1, capacity - kept)

const taker = ({ labels, isolated }: Claimer): Taker => ({
  labels: sql`${labels}::text[]`,
  isolated: sql`${isolated}::boolean`,
})

/**
 * The builds that this agent may run, each with its `share`: how many slots of the agent its team would then hold.
 * Builds that a concurrent claim is taking count as queued here, so that both choose from the same few. An exclusive
 * build waits while another of its pipeline runs.
 */
const turnsFor = (db: Db, agent: Claimer) =>
  turns(db)
    .leftJoin(
      (q) =>
        q
          .selectFrom('build')
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
    .where((q) =>
      q.or([
        q('queued.exclusive', '=', false),
        q.not(
          q.exists(
            q
              .selectFrom('build as other')
              .select('other.id')
              .whereRef('other.pipeline_id', '=', 'queued.pipeline_id')
              .where((o) =>
                o.or([
                  o('other.state', '=', 'building'),
                  // of several waiting ones only the first may start
                  o.and([
                    o('other.state', '=', 'queued'),
                    o('other.exclusive', '=', true),
                    o('other.number', '<', o.ref('queued.number')),
                  ]),
                ]),
              ),
          ),
        ),
      ]),
    )

/**
 * Leases up to `free` of the queued builds that this agent may run, by their turn; `skip locked` lets agents claim
 * concurrently. While several teams use the agent, one team gets all its slots but `kept`. If two agents claim two
 * exclusive builds of a pipeline at once, the index build_exclusive refuses one, and its agent asks again.
 */
export const leaseBuilds = (db: Db, agent: Claimer, free: number, kept: number): Promise<ClaimedBuild[]> =>
  db
    .updateTable('build')
    .set({
      state: 'building',
      agent_id: agent.id,
      agent_name: agent.name,
      lease_until: lease,
      attempt: sql`attempt + 1`,
      last_event: 0,
      started_at: sql`coalesce(started_at, now())`,
    })
    .where('build.id', 'in', (q) =>
      q
        .selectFrom('build as waiting')
        .innerJoin(turnsFor(db, agent).as('mine'), 'mine.id', 'waiting.id')
        .select('waiting.id')
        // checked again once the row is locked: another agent may have claimed it since
        .where('waiting.state', 'in', buildStatesBefore('building'))
        .where((w) => w.or([w('mine.share', '<=', mostOfTeam(agent.capacity, kept)), w.not(isShared(taker(agent)))]))
        .orderBy('mine.turn')
        .orderBy('waiting.queued_at')
        .orderBy('waiting.id')
        .limit(free)
        .forUpdate('waiting')
        .skipLocked(),
    )
    .returning(['id', 'pipeline_id as pipelineId', 'team_id as teamId', 'number', 'attempt'])
    .execute()

/** Builds that were leased to this agent in a lost answer: it has reported nothing of them, and does not hold them. */
export const undelivered = (db: Db, agentId: number, holding: number[]): Promise<ClaimedBuild[]> =>
  db
    .selectFrom('build')
    .select(['id', 'pipeline_id as pipelineId', 'team_id as teamId', 'number', 'attempt'])
    .where('agent_id', '=', agentId)
    .where('state', '=', 'building')
    .where('last_event', '=', 0)
    .where(sql<boolean>`id <> all(${holding}::int[])`)
    .execute()

export interface Held {
  buildId: number
  attempt: number
}

/**
 * Renews the leases that the agent still holds, and returns which of them were stopped. Builds that are not returned
 * are no longer the agent's.
 */
export const extendLeases = async (
  db: Db,
  agentId: number,
  held: Held[],
): Promise<(Held & { cancelled: boolean })[]> =>
  held.length === 0
    ? []
    : (
        await db
          .updateTable('build')
          .set({ lease_until: lease })
          .where('agent_id', '=', agentId)
          .where('state', '=', 'building')
          .where((q) => q.or(held.map((one) => q.and([q('id', '=', one.buildId), q('attempt', '=', one.attempt)]))))
          .returning(['id', 'attempt', 'cancelled'])
          .execute()
      ).map(({ id, attempt, cancelled }) => ({ buildId: id, attempt, cancelled }))

export const cancelledAmong = async (db: Db, agentId: number, held: Held[]): Promise<number[]> =>
  held.length === 0
    ? []
    : (
        await db
          .selectFrom('build')
          .select('id')
          .where('agent_id', '=', agentId)
          .where('state', '=', 'building')
          .where('cancelled', '=', true)
          .where(
            'id',
            'in',
            held.map((one) => one.buildId),
          )
          .execute()
      ).map((row) => row.id)

export interface HeldBuild {
  id: number
  pipelineId: number
  teamId: number
  number: number
  attempt: number
  lastEvent: number
  cancelled: boolean
}

/** The build of this attempt, locked, with its lease renewed; undefined where the agent no longer holds it. */
export const lockHeld = (db: Db, agentId: number, held: Held): Promise<HeldBuild | undefined> =>
  db
    .updateTable('build')
    .set({ lease_until: lease })
    .where('id', '=', held.buildId)
    .where('agent_id', '=', agentId)
    .where('attempt', '=', held.attempt)
    .where('state', '=', 'building')
    .returning([
      'id',
      'pipeline_id as pipelineId',
      'team_id as teamId',
      'number',
      'attempt',
      'last_event as lastEvent',
      'cancelled',
    ])
    .executeTakeFirst()

export interface Lost {
  id: number
  pipelineId: number
  teamId: number
  number: number
  attempt: number
  agentName: string
  cancelled: boolean
}

/** Builds whose lease expired, locked; two replicas that look at once take different ones. */
export const lockLost = (db: Db): Promise<Lost[]> =>
  db
    .selectFrom('build')
    .select([
      'id',
      'pipeline_id as pipelineId',
      'team_id as teamId',
      'number',
      'attempt',
      'agent_name as agentName',
      'cancelled',
    ])
    .where('state', '=', 'building')
    .where('lease_until', '<', sql<string>`now()`)
    .limit(100)
    .forUpdate()
    .skipLocked()
    .execute()

/** Puts a build back into the queue, in its old place, as if it had never run. */
export async function requeue(db: Db, id: number): Promise<void> {
  const queued = await db
    .updateTable('build')
    .set({ state: 'queued', agent_id: null, agent_name: '', lease_until: null })
    .where('id', '=', id)
    .where('state', 'in', buildStatesBefore('queued'))
    .executeTakeFirst()
  if (queued.numUpdatedRows === 0n) throw new Error(`build ${id} cannot be queued again`)
  await db
    .insertInto('blob_garbage')
    .columns(['key'])
    .expression((q) => q.selectFrom('build_artifact').select('blob').where('build_id', '=', id))
    .onConflict((c) => c.doNothing())
    .execute()
  for (const table of ['build_log_chunk', 'build_artifact', 'build_image', 'build_report'] as const)
    await db.deleteFrom(table).where('build_id', '=', id).execute()
  await db
    .updateTable('build_step')
    .set({
      state: 'pending',
      exit_code: null,
      reason: null,
      started_at: null,
      ended_at: null,
      log_bytes: 0,
      log_lines: 0,
      log_open: false,
      log_time: null,
    })
    .where('build_id', '=', id)
    .execute()
}

export interface StepChange {
  state: 'pending' | 'building' | 'success' | 'failed' | 'aborted' | 'not_built'
  exitCode: number | null
  reason: StoredReason | null
}

export const setStep = (db: Db, buildId: number, index: number, change: StepChange) =>
  db
    .updateTable('build_step')
    .set({
      state: change.state,
      exit_code: change.exitCode,
      reason: change.reason && jsonb(change.reason),
      ...(change.state === 'building' ? { started_at: sql`coalesce(started_at, now())` } : { ended_at: sql`now()` }),
    })
    .where('build_id', '=', buildId)
    .where('index', '=', index)
    .execute()

/** The trigger or the first checkout decides the commit, for good. */
export const setCommit = (db: Db, id: number, commit: string, message: string) =>
  db
    .updateTable('build')
    .set({ commit, commit_message: message })
    .where('id', '=', id)
    .where('commit', 'in', ['', commit])
    .execute()

export const setLastEvent = (db: Db, id: number, last: number) =>
  db.updateTable('build').set({ last_event: last }).where('id', '=', id).execute()

export const stepStates = (db: Db, buildId: number) =>
  db
    .selectFrom('build_step')
    .select(['index', 'state', 'log_bytes as logBytes', 'type', 'name'])
    .where('build_id', '=', buildId)
    .orderBy('index')
    .execute()

export const insertImage = (
  db: Db,
  image: {
    buildId: number
    step: number
    pipelineId: number
    registryId: number
    image: string
    tag: string
    digest: string
    size: number
  },
) =>
  db
    .insertInto('build_image')
    .values({
      build_id: image.buildId,
      step: image.step,
      pipeline_id: image.pipelineId,
      registry_id: image.registryId,
      image: image.image,
      tag: image.tag,
      digest: image.digest,
      size: image.size,
    })
    .onConflict((c) => c.constraint('build_image_once').doNothing())
    .execute()
