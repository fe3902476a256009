import type { QueueEntry } from '@gantry/contract/pipelines/builds'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Ctx } from '../../../kernel/context.ts'
import { byName } from '../../../db/list.ts'
import { say } from '../../../kernel/phrase.ts'
import { jobTitle } from '../jobs/title.ts'
import { isShared, mostOfTeam, turns } from './leases.store.ts'
import { queueSettings } from './queue.store.ts'

/**
 * Why the queued jobs of a pipeline's builds wait: their position in the queue, why each agent does not take them, and
 * which builds hold its slots. Those of other teams are only counted.
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
    .select(['build.id', 'build.team_id', 'build.number', 'build.exclusive', 'build.started_at', 'place.position'])
    .select([
      'build_job.queued_at',
      'build_job.by_admin',
      'build_job.labels',
      'build_job.os_type',
      'build_job.executor',
    ])
    .select(['build_job.name', 'build_job.matrix'])
    .where('build.pipeline_id', '=', pipelineId)
    .orderBy('build_job.queued_at')
    .orderBy('build_job.id')
    .limit(100)
    .execute()
  const [first] = waiting
  if (first === undefined) return []
  const { keptPlaces } = await queueSettings(ctx.db)
  const agents = await ctx.db
    .selectFrom('agent')
    .select(['id', 'name', 'labels', 'capacity', 'isolated', 'os_type', 'executors'])
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
        labels: sql.ref('agent.labels'),
        isolated: sql.ref('agent.isolated'),
        osType: sql.ref('agent.os_type'),
        executors: sql.ref('agent.executors'),
      }).as('shared'),
    )
    .orderBy(byName('name'))
    .execute()
  const running = await ctx.db
    .selectFrom('build')
    .select('number')
    .where('pipeline_id', '=', pipelineId)
    .where('started_at', 'is not', null)
    .where('ended_at', 'is', null)
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
  const heldOf = Map.groupBy(holding, ({ agentId }) => agentId)
  const tell = (build: (typeof waiting)[number], agent: (typeof agents)[number]): string => {
    const missing = build.labels.filter((label) => !agent.labels.includes(label))
    if (!agent.online) return say(ctx.lang, 'pipelines-wait-agent-offline')
    if (agent.os_type !== build.os_type) return say(ctx.lang, 'pipelines-wait-agent-os', { os: build.os_type })
    if (build.executor !== null && !agent.executors.includes(build.executor))
      return say(ctx.lang, 'pipelines-wait-agent-executor', { executor: build.executor })
    if (missing.length > 0) return say(ctx.lang, 'pipelines-wait-agent-labels', { labels: missing.join(', ') })
    if (!agent.isolated && !build.by_admin) return say(ctx.lang, 'pipelines-wait-agent-not-isolated')
    if (agent.running >= agent.capacity)
      return say(ctx.lang, 'pipelines-wait-agent-full', { running: agent.running, capacity: agent.capacity })
    const most = mostOfTeam(agent.capacity, keptPlaces)
    if (agent.shared && agent.held >= most)
      return say(ctx.lang, 'pipelines-wait-agent-share', { held: agent.held, capacity: agent.capacity })
    return say(ctx.lang, 'pipelines-wait-agent-soon')
  }
  return waiting.map((build) => ({
    queueId: build.id,
    number: build.number,
    job: jobTitle(build),
    position: build.position,
    queuedAt: build.queued_at,
    reason:
      agents.length === 0
        ? say(ctx.lang, 'pipelines-wait-no-agent')
        : build.exclusive && build.started_at === null && running.length > 0
          ? say(ctx.lang, 'pipelines-wait-exclusive', { number: running[0]?.number ?? 0 })
          : say(ctx.lang, 'pipelines-wait-turn', { position: build.position }),
    agents: agents.map((agent) => ({
      name: agent.name,
      reason: tell(build, agent),
      builds: heldOf.get(agent.id) ?? [],
      others: agent.running - agent.held,
    })),
  }))
}
