import type { AgentEvent } from '@gantry/contract/agents/events'
import { protocol } from '@gantry/contract/agents/protocol'
import type { Work } from '@gantry/contract/agents/work'
import { builds } from '@gantry/contract/pipelines/builds'
import type { StageInput, StepInput } from '@gantry/contract/pipelines/definition'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { hashToken, newToken } from '../src/identity/sessions.ts'
import { putAgent } from '../src/domains/agents/agents.store.ts'
import type { TestApp } from './test-app.ts'

export interface Held {
  jobId: number
  attempt: number
}

/** An agent that speaks the protocol but runs nothing: the test decides the results of its steps. */
export async function testAgent(
  app: TestApp,
  { name = `agent-${Math.random()}`, labels = [] as string[], capacity = 100, isolated = true } = {},
) {
  const token = newToken('agent')
  const id = await putAgent(app.db, { name, tokenHash: hashToken(token), labels, capacity })
  const caller = app.caller({ kind: 'agent', id, name, admin: false }, token)
  const self = { version: 'test', osType: 'linux' as const, executors: ['process' as const], isolated }
  return {
    id,
    name,
    token,
    caller,
    claim: async (free = 10, holding: Held[] = []): Promise<{ work: Work[]; drop: number[]; cancel: number[] }> =>
      caller.call(protocol.claim, {
        body: { ...self, holding: holding.map(({ jobId, attempt }) => ({ jobId, attempt })), free, wait: 0 },
      }),
    events: (held: Held, first: number, events: AgentEvent[]) =>
      caller.call(protocol.events, {
        params: { jobId: held.jobId },
        body: { attempt: held.attempt, first, events },
      }),
    /** Appends raw bytes to a step's log; `times` in the protocol's format. */
    log: async (held: Held, step: number, offset: number, text: string | Buffer, times?: string) => {
      const answer = await caller.raw({
        method: 'POST',
        url: `/api/agent/jobs/${held.jobId}/steps/${step}/log?attempt=${held.attempt}&offset=${offset}${times === undefined ? '' : `&times=${times}`}`,
        headers: { 'content-type': 'application/octet-stream' },
        payload: Buffer.from(text),
      })
      return {
        ...answer.json<{ message: string; data: { next: number; cancel: boolean } }>(),
        status: answer.statusCode,
      }
    },
    upload: async (
      held: Held,
      step: number,
      what: 'artifacts' | 'reports' | 'coverage' | 'scans',
      path: string,
      text: string,
    ) => {
      const answer = await caller.raw({
        method: 'POST',
        url: `/api/agent/jobs/${held.jobId}/steps/${step}/${what}?attempt=${held.attempt}&path=${encodeURIComponent(path)}`,
        headers: { 'content-type': 'application/octet-stream' },
        payload: Buffer.from(text),
      })
      return { ...answer.json<{ message: string; data: Record<string, number> }>(), status: answer.statusCode }
    },
  }
}

let made = 0

/** A pipeline with these steps or stages in a group of its own. Its builds need an agent labelled with its name. */
export async function testPipeline(
  app: TestApp,
  team: Awaited<ReturnType<TestApp['team']>>,
  steps: StepInput[] = [{ type: 'script', name: 'hello', run: 'echo hello' }],
  stages: StageInput[] = [{ name: 'only', steps }],
) {
  const name = `p${++made}`
  const group = await team.leader.call(groups.create, { params: { teamId: team.id }, body: { name } })
  const pipeline = await team.leader.call(definitions.create, {
    body: { appId: group.id, projectName: name, definition: { stages } },
  })
  // tests share one queue, so only an agent labelled with the pipeline's name may take its builds
  await app.db
    .updateTable('pipeline')
    .set({ agent_labels: [name] })
    .where('id', '=', pipeline.id)
    .execute()
  return pipeline
}

/** A pipeline with one build, taken by an agent. */
export async function runningBuild(app: TestApp, team: Awaited<ReturnType<TestApp['team']>>, steps?: StepInput[]) {
  const pipeline = await testPipeline(app, team, steps)
  const { number } = await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  const [work] = (await agent.claim(1)).work
  if (!work) throw new Error('nothing was claimed')
  return { pipeline, number, agent, work, held: { jobId: work.jobId, attempt: work.attempt, buildId: work.buildId } }
}
