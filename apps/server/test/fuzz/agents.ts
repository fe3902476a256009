import { randomBytes } from 'node:crypto'
import { protocolHeader, protocolVersion } from '@gantry/agent-protocol/protocol'
import { agents } from '@gantry/contract/agents/agents'
import { protocol } from '@gantry/contract/agents/protocol'
import { builds } from '@gantry/contract/pipelines/builds'
import { until } from '../own-namespace.ts'
import type { Thing } from './pool.ts'
import { claimed, type Place, type Set } from './story.ts'

/** An agent that registers itself, and builds stopped while it runs them, by number and by job. */
export async function runOnAgents({ run, roles }: Set, { side, leader }: Place, made: Thing['values']): Promise<void> {
  const { admin, visitor, agent } = roles
  const { id: registered, token } = await run.make(admin, agents.create, { body: { name: run.fresh('nobodys') } })
  const credential = `ga_${randomBytes(32).toString('base64url')}`
  await run.make(visitor, protocol.register, {
    body: { token, credential },
    headers: [[protocolHeader, protocolVersion]],
  })
  const { labels, capacity, teamId, revision } = await run.make(admin, agents.get, { params: { id: registered } })
  const changed = { labels, capacity, teamId, revision }
  await run.make(admin, agents.update, { params: { id: registered }, body: changed })
  await run.make(admin, agents.remove, { params: { id: registered } })
  await run.make(visitor, agents.program)

  const id = Number(made.pipeline)
  const running = async () => {
    const { number } = await run.make(leader, builds.trigger, { params: { id }, body: {} }, { side, values: made })
    const { jobId, attempt } = await claimed(run, agent, (work) => work.pipelineId === id)
    const within: Thing = { side, values: { ...made, build: number, work: jobId, attempt } }
    const tell = (first: number, event: { type: 'step'; step: 0; state: 'building'; at: 0 } | typeof aborted) =>
      run.make(agent, protocol.events, { params: { jobId }, body: { attempt, first, events: [event] } }, within)
    await tell(1, { type: 'step', step: 0, state: 'building', at: 0 })
    return { number, jobId, within, end: () => tell(2, aborted) }
  }
  const byNumber = await running()
  await run.make(leader, builds.stop, { params: { id, number: byNumber.number } }, byNumber.within)
  await byNumber.end()

  const byJob = await running()
  const { agentId, name } = await until('the job on its agent', async () => {
    const all = await run.make(admin, agents.list)
    for (const one of all) {
      const held = (await run.make(admin, agents.jobs, { params: { id: one.id } })).find(
        (job) => job.jobId === byJob.jobId,
      )
      if (held) return { agentId: one.id, name: held.name }
    }
    return undefined
  })
  await run.make(admin, agents.stopJob, { params: { id: agentId, name, jobId: byJob.jobId } })
  await byJob.end()
}

const aborted = { type: 'end' as const, state: 'aborted' as const, logs: [] }
