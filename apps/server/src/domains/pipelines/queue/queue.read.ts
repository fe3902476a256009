import type { QueueEntry } from '@gantry/contract/pipelines/builds'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Ctx } from '../../../kernel/context.ts'
import { byName } from '../../../db/list.ts'
import { say } from '../../../kernel/phrase.ts'
import { isShared, mostOfTeam, turns } from './leases.store.ts'
import { queueSettings } from './queue.store.ts'

/** Why a pipeline's queued builds wait: their position in the queue, and why each agent does not take them. */
export async function readQueue(ctx: Ctx, pipelineId: number): Promise<z.infer<typeof QueueEntry>[]> {
  const waiting = await ctx.db
    .selectFrom('build')
    .innerJoin(
      (q) =>
        q
          .selectFrom(turns(ctx.db).as('one'))
          .select(['one.id', sql<number>`row_number() over (order by turn, queued_at, id)`.as('position')])
          .as('place'),
      (join) => join.onRef('place.id', '=', 'build.id'),
    )
    .select(['build.id', 'team_id', 'number', 'queued_at', 'agent_labels', 'by_admin', 'exclusive', 'place.position'])
    .where('pipeline_id', '=', pipelineId)
    .orderBy('queued_at')
    .limit(100)
    .execute()
  const [first] = waiting
  if (first === undefined) return []
  const { keptPlaces } = await queueSettings(ctx.db)
  const agents = await ctx.db
    .selectFrom('agent')
    .select(['name', 'labels', 'capacity', 'isolated'])
    .select(sql<boolean>`coalesce(last_seen_at > now() - interval '60 seconds', false)`.as('online'))
    .select(
      sql<number>`(select count(*) from build where build.agent_id = agent.id and build.state = 'building')`.as(
        'running',
      ),
    )
    .select(
      sql<number>`(select count(*) from build where build.agent_id = agent.id and build.state = 'building'
        and build.team_id = ${first.team_id})`.as('held'),
    )
    .select(isShared({ labels: sql.ref('agent.labels'), isolated: sql.ref('agent.isolated') }).as('shared'))
    .orderBy(byName('name'))
    .execute()
  const running = await ctx.db
    .selectFrom('build')
    .select('number')
    .where('pipeline_id', '=', pipelineId)
    .where('state', '=', 'building')
    .execute()
  const tell = (build: (typeof waiting)[number], agent: (typeof agents)[number]): string => {
    const missing = build.agent_labels.filter((label) => !agent.labels.includes(label))
    if (!agent.online) return say(ctx.lang, 'pipelines-wait-agent-offline')
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
    position: build.position,
    queuedAt: build.queued_at,
    reason:
      agents.length === 0
        ? say(ctx.lang, 'pipelines-wait-no-agent')
        : build.exclusive && running.length > 0
          ? say(ctx.lang, 'pipelines-wait-exclusive', { number: running[0]?.number ?? 0 })
          : say(ctx.lang, 'pipelines-wait-turn', { position: build.position }),
    agents: agents.map((agent) => ({ name: agent.name, reason: tell(build, agent) })),
  }))
}
