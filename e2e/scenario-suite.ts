import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { builds, type Build } from '@gantry/contract/pipelines/builds'
import { buildImages } from '@gantry/contract/build-images/build-images'
import { ExecutorName } from '@gantry/contract/pipelines/definition'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines, Setting } from '@gantry/contract/pipelines/pipelines'
import { BuildState, isEnded, JobState, StepState } from '@gantry/contract/pipelines/states'
import { teams } from '@gantry/contract/teams/teams'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { parse } from 'yaml'
import { z } from 'zod'
import { patient } from './builds.ts'
import type { Caller } from './caller.ts'
import { newUser, startProduct, type Product } from './product.ts'
import { type Agents, agentsOf, OwnAgents } from './scenario-agents.ts'

/**
 * Whole builds, on each executor, each in a folder: `pipeline.yaml` is the definition, `expected.json` tells how the build is triggered,
 * what users do meanwhile, and the expected result. An `other.yaml` is a pipeline that is created before, whose id
 * replaces `$other`. One server and one agent run them all in parallel, except those with agents of their own.
 */
const Act = z.strictObject({
  /** Done once the build, or one of its jobs or steps, is in this state. */
  at: z.strictObject({
    state: z.enum([...BuildState.options, ...JobState.options]),
    job: z.string().optional(),
    step: z.string().optional(),
  }),
  /** `wait` does nothing: the next act follows once this state was seen. */
  do: z.enum(['wait', 'stop', 'cancel', 'retry', 'pass', 'reject', 'start', 'kill', 'expire']),
  /** The expected refusal, if any. */
  refused: z.string().optional(),
  /** For a decision: the stage, who decides, and the values they set. */
  stage: z.string().optional(),
  by: z.enum(['leader', 'admin']).default('leader'),
  parameters: z.record(z.string(), z.string()).optional(),
  /** For a retry: the job; absent: everything that did not succeed. */
  from: z.string().optional(),
  /** For an act on an agent of the scenario: its name. */
  agent: z.string().default(''),
})

const Expected = z.strictObject({
  variables: Setting.shape.variables.optional(),
  parameters: Setting.shape.parameters.optional(),
  trigger: z
    .strictObject({
      branch: z.string(),
      tag: z.string(),
      parameters: z.record(z.string(), z.string()),
    })
    .partial()
    .default({}),
  agents: OwnAgents.default({}),
  /** Why it has no meaning for an executor. */
  not: z.partialRecord(ExecutorName, z.string()).default({}),
  acts: z.array(Act).default([]),
  state: BuildState,
  /** A part of the build's message. */
  message: z.string().optional(),
  jobs: z.record(z.string(), JobState).optional(),
  attempts: z.record(z.string(), z.number()).optional(),
  /** The agent of the scenario that ran each job. */
  on: z.record(z.string(), z.string()).optional(),
  /** The most jobs that run at the same time. */
  atOnce: z.number().optional(),
  /** By the steps' names; an entry applies to all steps of its name. */
  steps: z.record(z.string(), StepState).optional(),
  /** The lines of a step's log, without those of the product's commands; steps of the same name in sequence. */
  log: z.record(z.string(), z.array(z.string())).optional(),
})

const folder = join(import.meta.dirname, 'scenarios')
const definitionText = (name: string): string => readFileSync(join(folder, name, 'pipeline.yaml'), 'utf8')
const expectedOf = (name: string) =>
  Expected.parse(JSON.parse(readFileSync(join(folder, name, 'expected.json'), 'utf8')))

/** All scenarios that have a meaning for an executor: only jobs have one, and stages of steps run as processes. */
export const scenariosOf = (executor: ExecutorName): string[] =>
  readdirSync(folder)
    .sort()
    .filter(
      (name) =>
        executor === 'process' ||
        (/^ +jobs:/m.test(definitionText(name)) && expectedOf(name).not[executor] === undefined),
    )

/** Where the jobs of scenarios run. */
export interface Place {
  executor: ExecutorName
  /** The environment of the agents that run them. */
  agent: Record<string, string>
  /** The image of the jobs; undefined: they are processes. */
  image?: string
  /** The address at which agents reach the product; undefined: its own, and it has an agent itself. */
  address?: (url: string) => Promise<string>
  close: () => Promise<void>
}

export function scenarioSuite(scenarios: string[], openPlace: () => Promise<Place>): void {
  let place: Place
  let product: Product
  let imageId: number
  let leader: Caller
  let appId: number
  /** Only the scenarios' own agents take this team's jobs. */
  let ownTeam: number
  let ownAppId: number
  let shared: Agents | undefined
  beforeAll(async () => {
    place = await openPlace()
    product = await startProduct({
      GANTRY_AGENT_CAPACITY: '6',
      GANTRY_AGENT_BUILD_MEMORY_MB: '256',
      ...(place.address ? {} : place.agent),
    })
    const { id: teamId } = await product.admin.call(teams.create, { body: { name: 'scenarios' } })
    leader = await newUser(product, 'scenarios-lead', { teamId, roleId: 'leader' })
    appId = (await leader.call(groups.create, { params: { teamId }, body: { name: 'scenarios' } })).id
    ownTeam = (await product.admin.call(teams.create, { body: { name: 'scenario-agents' } })).id
    await product.admin.call(teams.addMembers, { params: { id: ownTeam }, body: [leader.id] })
    await product.admin.call(teams.assignRole, { params: { id: ownTeam, userId: leader.id }, body: 0 })
    const own = { params: { teamId: ownTeam }, body: { name: 'scenario-agents' } }
    ownAppId = (await leader.call(groups.create, own)).id
    if (place.image !== undefined)
      imageId = (await product.admin.call(buildImages.create, { body: { name: 'scenarios', image: place.image } })).id
    if (place.address === undefined) return
    shared = agentsOf(product, place, {
      label: 'scenarios',
      teamId,
      own: { all: { later: false, capacity: 6, older: false } },
    })
    await shared.start('all')
  })
  afterAll(async () => {
    await shared?.close()
    await product?.stop()
    await place?.close()
  })

  const titleOf = ({ name, matrix }: { name: string; matrix: Record<string, string> }): string =>
    [name, ...(Object.keys(matrix).length > 0 ? [`(${Object.values(matrix).join(', ')})`] : [])].join(' ')

  const jobsOf = (build: Build) => build.stages.flatMap(({ jobs }) => jobs)

  /** Performs an act of a user; answers the refusal, if any. */
  async function ask(id: number, build: Build, act: z.infer<typeof Act>): Promise<unknown> {
    const caller = act.by === 'admin' ? product.admin : leader
    const params = { id, number: build.number }
    if (act.do === 'stop') return caller.call(builds.stop, { params })
    if (act.do === 'cancel') return caller.call(builds.cancel, { params: { id, queueId: build.queueId } })
    if (act.do === 'retry')
      return caller.call(builds.retry, {
        params,
        body: { from: act.from === undefined ? 'failed' : { job: act.from } },
      })
    const body = { pass: act.do === 'pass', parameters: act.parameters ?? {} }
    return caller.call(builds.decide, { params: { ...params, stage: act.stage ?? '' }, body })
  }

  async function act(id: number, build: Build, act: z.infer<typeof Act>, own: Agents): Promise<void> {
    if (act.do === 'wait') return
    if (act.do === 'expire') return own.expire(build.queueId)
    if (act.do === 'start' || act.do === 'kill') return own[act.do](act.agent)
    const refusal = await ask(id, build, act).then(
      () => undefined,
      (error: unknown) => String(error),
    )
    if (act.refused === undefined) expect(refusal).toBeUndefined()
    else expect(refusal).toContain(act.refused)
  }

  const linesOf = async (id: number, build: Build, step: number): Promise<string[]> => {
    const stage = build.stages.find(({ steps }) => steps.some(({ index }) => index === step))?.name ?? ''
    const params = { id, stage, number: build.number }
    return (await leader.call(builds.log, { params, query: { step } })).lines.map(({ text }) => text)
  }

  /** The definition of a scenario, after creating the other pipeline that it names. */
  async function definitionOf(name: string): Promise<object> {
    const text = definitionText(name)
    const other = join(folder, name, 'other.yaml')
    if (!existsSync(other)) return placed(text)
    const { id } = await leader.call(definitions.create, {
      body: {
        appId,
        projectName: `other-${name.slice(0, 20)}`,
        definition: parse(readFileSync(other, 'utf8')) as never,
      },
    })
    return placed(text.replaceAll('$other', String(id)))
  }

  /** The definition with the executor and the image of this suite for each job. */
  function placed(text: string): object {
    const definition = parse(text) as { stages: { jobs?: object[] }[] }
    const { executor } = place
    if (executor !== 'process')
      for (const { jobs = [] } of definition.stages)
        for (const job of jobs) Object.assign(job, { executor, image: imageId })
    return definition
  }

  const stateAt = (build: Build, { job, step }: z.infer<typeof Act>['at']): string | undefined => {
    if (job !== undefined) return jobsOf(build).find((one) => titleOf(one) === job)?.state
    if (step === undefined) return build.state
    return build.stages.flatMap(({ steps }) => steps).find(({ name }) => name === step)?.state
  }

  test.concurrent.for(scenarios)('%s', async (name, { onTestFinished }) => {
    const expected = expectedOf(name)
    const own = agentsOf(product, place, { label: name, teamId: ownTeam, own: expected.agents })
    onTestFinished(own.close)
    const first = Object.entries(expected.agents).filter(([, { later }]) => !later)
    await Promise.all(first.map(([agent]) => own.start(agent)))
    const group = Object.keys(expected.agents).length === 0 ? appId : ownAppId
    const definition = await definitionOf(name)
    const { id } = await leader.call(definitions.create, {
      body: {
        appId: group,
        projectName: name.slice(0, 30),
        definition: definition as never,
        variables: expected.variables ?? [],
      },
    })
    const params = { appId: group, pipelineId: id }
    const setting = await leader.call(pipelines.setting, { params })
    await leader.call(pipelines.setSetting, { params, body: { ...setting, parameters: expected.parameters ?? [] } })
    const { parameters = {}, ...source } = expected.trigger
    const { number } = await leader.call(builds.triggerWithParameters, {
      params: { id },
      body: { parameters, ...source },
    })
    let atOnce = 0
    const look = async (): Promise<Build> => {
      const now = await leader.call(builds.get, { params: { id, number } })
      atOnce = Math.max(atOnce, jobsOf(now).filter(({ state }) => state === 'building').length)
      return now
    }
    for (const next of expected.acts) {
      const now = await eventually(look, (one) => stateAt(one, next.at) === next.at.state, patient)
      await act(id, now, next, own)
    }
    const build = await eventually(look, ({ state }) => isEnded(state), patient)
    await own.empty()
    if (expected.atOnce !== undefined) expect(atOnce).toBeLessThanOrEqual(expected.atOnce)
    const jobs = jobsOf(build)
    const steps = build.stages.flatMap((stage) => stage.steps)
    const subset = (all: [string, unknown][], some: object | undefined) =>
      some && Object.fromEntries(all.filter(([key]) => key in some))
    expect({
      state: build.state,
      jobs: subset(
        jobs.map((job) => [titleOf(job), job.state]),
        expected.jobs,
      ),
      attempts: subset(
        jobs.map((job) => [titleOf(job), job.attempt]),
        expected.attempts,
      ),
      on: subset(
        jobs.map((job) => [titleOf(job), job.agentName.replace(`${name}.`, '')]),
        expected.on,
      ),
      steps: subset(
        steps.map((step) => [step.name, step.state]),
        expected.steps,
      ),
      why: expected.message === undefined ? '' : build.message,
    }).toEqual({
      state: expected.state,
      jobs: expected.jobs,
      attempts: expected.attempts,
      on: expected.on,
      steps: expected.steps,
      why: expected.message === undefined ? '' : (expect.stringContaining(expected.message) as string),
    })
    for (const [step, lines] of Object.entries(expected.log ?? {}))
      expect(
        (
          await Promise.all(steps.filter((one) => one.name === step).map((one) => linesOf(id, build, one.index)))
        ).flat(),
      ).toEqual(lines)
  })
}
