import { newSteps } from '@gantry/agent-protocol/protocol'
import type { QueueEntry } from '@gantry/contract/pipelines/queue'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Ctx } from '../../../kernel/context.ts'
import { byName } from '../../../db/list.ts'
import { say } from '../../../kernel/phrase.ts'
import { imagesForJobs } from '../../build-images/public.ts'
import { jobTitle } from '../jobs/title.ts'
import { hasNewSteps, isShared, maxPerTeam, turns } from './leases.store.ts'
import { findPause, hasTurn, runningInLane } from './lanes.store.ts'
import { queueSettings } from './queue.store.ts'
import { agentRows } from '../../agents/public.read.ts'

/**
 * Why queued jobs of a pipeline wait: their position in the queue, why each agent does not take them, and which builds
 * hold its slots. Other teams' builds are only counted.
 */
export async function readQueue(ctx: Ctx, pipelineId: number): Promise<z.infer<typeof QueueEntry>[]> {
  const waiting = await ctx.db
    .selectFrom('build_job')
    .innerJoin('build', 'build.id', 'build_job.build_id')
    .innerJoin(
      (q) =>
        q
          .selectFrom(turns(ctx.db).as('one'))
          .select(['one.id', sql<number>`row_number() over (order by turn, queued_at, id)`.as('position')])
          .as('place'),
      (join) => join.onRef('place.id', '=', 'build_job.id'),
    )
    .select([
      'build.id',
      'build.team_id',
      'build.number',
      'build.exclusive',
      'build.lane',
      'build.started_at',
      'place.position',
    ])
    .select([
      sql<string>`coalesce(build_job.ready_at, build_job.queued_at)`.as('ready_at'),
      'build_job.by_admin',
      'build_job.labels',
      'build_job.os_type',
      'build_job.executor',
      'build_job.images',
    ])
    .select(['build_job.name', 'build_job.matrix'])
    .select(hasNewSteps('build_job').as('hasNewSteps'))
    .where('build.pipeline_id', '=', pipelineId)
    .orderBy('build_job.queued_at')
    .orderBy('build_job.id')
    .limit(100)
    .execute()
  const [first] = waiting
  if (first === undefined) return []
  const { keptPlaces } = await queueSettings(ctx.db)
  const agents = await ctx.db
    .selectFrom(agentRows.as('agent'))
    .select(['id', 'name', 'capacity', 'isolated', 'os_type', 'executors', 'protocol', 'paused', 'waits'])
    .select('environment')
    .select(sql<string[]>`labels || own_labels`.as('labels'))
    .select(sql<boolean>`clean_asked_at is not null`.as('cleaning'))
    .select(sql<boolean>`coalesce(last_seen_at > now() - interval '60 seconds', false)`.as('online'))
    .select(
      sql<number>`(select count(*) from build_job where agent_id = agent.id and state = 'building')`.as('running'),
    )
    .select(
      sql<number>`(select count(*) from build_job where agent_id = agent.id and state = 'building'
        and team_id = ${first.team_id})`.as('held'),
    )
    .select(
      isShared({
        labels: sql`(agent.labels || agent.own_labels)`,
        isolated: sql.ref('agent.isolated'),
        osType: sql.ref('agent.os_type'),
        executors: sql.ref('agent.executors'),
        protocol: sql.ref('agent.protocol'),
        teamId: sql.ref('agent.team_id'),
        environment: sql.ref('agent.environment'),
      }).as('shared'),
    )
    // agents of other teams are not visible to this one
    .where((q) => q.or([q('team_id', 'is', null), q('team_id', '=', first.team_id)]))
    .orderBy(byName('name'))
    .execute()
  const running = await ctx.db
    .selectFrom('build')
    .select('number')
    .where('pipeline_id', '=', pipelineId)
    .where(hasTurn('build'))
    .orderBy('number')
    .execute()
  const holding = await ctx.db
    .selectFrom('build_job')
    .innerJoin('build', 'build.id', 'build_job.build_id')
    .innerJoin('pipeline', 'pipeline.id', 'build.pipeline_id')
    .select(['build_job.agent_id as agentId', 'build.pipeline_id as pipelineId', 'build.number'])
    .select(['pipeline.group_id as appId', 'pipeline.name as projectName'])
    .distinct()
    .where('build_job.team_id', '=', first.team_id)
    .where('build_job.state', '=', 'building')
    .limit(1000)
    .execute()
  const images = await imagesForJobs(ctx.db, first.team_id, [...new Set(waiting.flatMap((job) => job.images))])
  const pause = await findPause(ctx.db, pipelineId)
  const lanes = new Map<string, string>()
  for (const lane of new Set(waiting.flatMap((build) => build.lane ?? []))) {
    const other = await runningInLane(ctx.db, lane)
    if (other) lanes.set(lane, say(ctx.lang, 'pipelines-wait-lane', { name: other.name, number: other.number }))
  }
  /** What keeps a build from beginning, regardless of agents. */
  const obstacleOf = ({ started_at, exclusive, lane }: (typeof waiting)[number]): string | undefined => {
    if (started_at !== null) return undefined
    if (pause.at !== null)
      return say(ctx.lang, pause.reason === '' ? 'pipelines-wait-paused' : 'pipelines-wait-paused-why', {
        name: pause.by,
        reason: pause.reason,
      })
    if (exclusive && running.length > 0)
      return say(ctx.lang, 'pipelines-wait-exclusive', { number: running[0]?.number ?? 0 })
    return lane === null ? undefined : lanes.get(lane)
  }
  const byAgent = Map.groupBy(holding, ({ agentId }) => agentId)
  const tell = (build: (typeof waiting)[number], agent: (typeof agents)[number]): string => {
    const missing = build.labels.filter((label) => !agent.labels.includes(label))
    if (!agent.online) return say(ctx.lang, 'pipelines-wait-agent-offline')
    if (agent.os_type !== build.os_type) return say(ctx.lang, 'pipelines-wait-agent-os', { os: build.os_type })
    const executor = build.executor ?? 'process'
    if (!agent.executors.includes(executor)) return say(ctx.lang, 'pipelines-wait-agent-executor', { executor })
    if (agent.protocol === newSteps.unknownTo && build.hasNewSteps) return say(ctx.lang, 'pipelines-wait-agent-old')
    if (missing.length > 0) return say(ctx.lang, 'pipelines-wait-agent-labels', { labels: missing.join(', ') })
    const limited =
      executor === 'kubernetes' &&
      images.find(
        ({ id, clusters }) =>
          build.images.includes(id) && clusters.length > 0 && !clusters.some(({ uuid }) => uuid === agent.environment),
      )
    if (limited)
      return say(ctx.lang, 'pipelines-wait-agent-image', {
        image: limited.name,
        clusters: limited.clusters.map(({ name }) => name).join(', '),
      })
    if (!agent.isolated && !build.by_admin) return say(ctx.lang, 'pipelines-wait-agent-not-isolated')
    if (agent.paused) return say(ctx.lang, 'pipelines-wait-agent-paused')
    if (agent.cleaning) return say(ctx.lang, 'pipelines-wait-agent-cleaning')
    if (agent.running >= agent.capacity)
      return say(ctx.lang, 'pipelines-wait-agent-full', { running: agent.running, capacity: agent.capacity })
    if (agent.waits !== '') return say(ctx.lang, 'pipelines-wait-agent-cluster', { why: agent.waits })
    const most = maxPerTeam(agent.capacity, keptPlaces)
    if (agent.shared && agent.held >= most)
      return say(ctx.lang, 'pipelines-wait-agent-share', { held: agent.held, capacity: agent.capacity })
    return say(ctx.lang, 'pipelines-wait-agent-soon')
  }
  return waiting.map((build) => ({
    queueId: build.id,
    number: build.number,
    job: jobTitle(build),
    position: build.position,
    queuedAt: build.ready_at,
    reason:
      obstacleOf(build) ??
      (agents.length === 0
        ? say(ctx.lang, 'pipelines-wait-no-agent')
        : say(ctx.lang, 'pipelines-wait-turn', { position: build.position })),
    agents: agents.map((agent) => ({
      name: agent.name,
      reason: tell(build, agent),
      builds: byAgent.get(agent.id) ?? [],
      others: agent.running - agent.held,
    })),
  }))
}
