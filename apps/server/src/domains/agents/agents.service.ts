import { protocolVersion, understands } from '@gantry/agent-protocol/protocol'
import type { AgentDetail } from '@gantry/contract/agents/agents'
import { brokenConstraint } from '../../db/constraint.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault, mustExist } from '../../kernel/fault.ts'
import { say } from '../../kernel/phrase.ts'
import { jobOnAgent, jobsRunningOn, queued, stopBuild } from '../pipelines/public.ts'
import { readAgent } from './agents.read.ts'
import { askToClean, deleteAgent, lockAgent, setAgent, setPaused } from './agents.store.ts'

/** Locks the agent and names it in the audit row; 404 if there is none. */
export async function lockedAgent(ctx: Ctx, id: number) {
  const agent = mustExist(await lockAgent(ctx.db, id))
  note(ctx, { object: agent.name })
  return agent
}

interface Settings {
  labels: string[]
  capacity: number
  teamId: number | null
  environment?: string | null | undefined
  revision: number
}

export const teamMissing = () => brokenConstraint('agent_team', new Fault('invalid', 'agents-team-missing'))
export const clusterMissing = () =>
  brokenConstraint('agent_environment', new Fault('invalid', 'agents-environment-missing'))

export const changeAgent = (ctx: Ctx, id: number, { revision, ...given }: Settings): Promise<AgentDetail> =>
  inTx(ctx, async (ctx) => {
    const { name, labels, capacity, teamId, environment, ...agent } = await lockedAgent(ctx, id)
    if (revision !== agent.revision) throw new Fault('conflict', 'agents-changed', { name })
    const after = {
      ...given,
      environment: given.environment === undefined ? environment : given.environment,
      labels: [...new Set(given.labels)],
    }
    note(ctx, { before: { labels, capacity, teamId, environment }, after })
    await setAgent(ctx.db, id, after).catch(teamMissing()).catch(clusterMissing())
    // the agent may take other builds now
    queued.wakeAfterCommit(ctx)
    return readAgent(ctx.db, id)
  })

export const pauseAgent = (ctx: Ctx, id: number, paused: boolean): Promise<AgentDetail> =>
  inTx(ctx, async (ctx) => {
    const before = await lockedAgent(ctx, id)
    note(ctx, { before: { paused: before.paused }, after: { paused } })
    await setPaused(ctx.db, id, paused)
    queued.wakeAfterCommit(ctx)
    return readAgent(ctx.db, id)
  })

/** The builds that an agent runs, as a refusal lists them; empty if it runs none. */
async function buildsOn(ctx: Ctx, id: number): Promise<string> {
  const jobs = await jobsRunningOn(ctx.db, id)
  const builds = [...new Set(jobs.map(({ name, number }) => `${name} #${number}`))]
  return builds.length > 10 ? `${builds.slice(0, 10).join(', ')}, …` : builds.join(', ')
}

/** The product's own agent cannot be removed while it runs: it would come back with the next start. */
export const removeAgent = (ctx: Ctx, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const { name, labels, capacity, teamId, embedded, online } = await lockedAgent(ctx, id)
    note(ctx, { before: { name, labels, capacity, teamId } })
    if (embedded && online) throw new Fault('conflict', 'agents-remove-embedded', { name })
    const builds = await buildsOn(ctx, id)
    if (builds !== '') throw new Fault('conflict', 'agents-remove-busy', { name, builds })
    await deleteAgent(ctx.db, id)
    return null
  })

/** The agent learns of it with its next claim, and takes no build until it has reported that it is clean. */
export const cleanAgent = (ctx: Ctx, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const { name, protocol } = await lockedAgent(ctx, id)
    const builds = await buildsOn(ctx, id)
    if (builds !== '') throw new Fault('conflict', 'agent-busy', { builds })
    // an agent that has never called may be of any version
    if (protocol !== '' && !understands(protocolVersion, protocol))
      throw new Fault('conflict', 'agents-clean-old', { name })
    await askToClean(ctx.db, id)
    queued.wakeAfterCommit(ctx)
    return null
  })

export const stopJobOf = (ctx: Ctx, id: number, name: string, jobId: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const job = await jobOnAgent(ctx.db, id, jobId)
    if (job?.name !== name) throw new Fault('missing', 'resource-missing')
    const { number, state, pipelineId, teamId } = job
    note(ctx, { object: `${name} #${number}`, teamId })
    if (state !== 'building')
      throw new Fault('conflict', 'stop-fail-build', {
        number,
        error: say(ctx.lang, `state-${state === 'not_built' ? 'not-built' : state}`),
      })
    return stopBuild(ctx, pipelineId, number)
  })
