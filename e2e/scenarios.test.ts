import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { builds, type Build } from '@gantry/contract/pipelines/builds'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines, Setting } from '@gantry/contract/pipelines/pipelines'
import { BuildState, isEnded, JobState, StepState } from '@gantry/contract/pipelines/states'
import { teams } from '@gantry/contract/teams/teams'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { until } from './builds.ts'
import type { Caller } from './caller.ts'
import { newUser, startProduct, type Product } from './product.ts'

/**
 * Whole builds, each a folder: `pipeline.yaml` is the definition, `expected.json` says how the build is triggered, what
 * people do meanwhile, and what must come of it. One server and one agent run them all, beside each other.
 */
const Act = z.strictObject({
  /** Done once the build, or one of its jobs, is in this state. */
  at: z.strictObject({ state: z.enum([...BuildState.options, ...JobState.options]), job: z.string().optional() }),
  do: z.enum(['stop', 'cancel', 'retry', 'pass', 'reject']),
  /** Of a decision: the stage, who decides, what they fill in, and how it is refused. */
  stage: z.string().optional(),
  by: z.enum(['leader', 'admin']).default('leader'),
  parameters: z.record(z.string(), z.string()).optional(),
  refused: z.string().optional(),
  /** Of a retry: the job; without it everything that did not succeed. */
  from: z.string().optional(),
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
  acts: z.array(Act).default([]),
  state: BuildState,
  /** A part of the build's message. */
  message: z.string().optional(),
  jobs: z.record(z.string(), JobState).optional(),
  attempts: z.record(z.string(), z.number()).optional(),
  /** By the steps' names: of steps with the same name all. */
  steps: z.record(z.string(), StepState).optional(),
  /** The lines of a step's log, as far as they are no command of the product; of steps with the same name one after another. */
  log: z.record(z.string(), z.array(z.string())).optional(),
})

const folder = join(import.meta.dirname, 'scenarios')
const scenarios = readdirSync(folder).sort()

let product: Product
let leader: Caller
let appId: number
beforeAll(async () => {
  product = await startProduct({ GANTRY_AGENT_CAPACITY: '6' })
  const { id: teamId } = await product.admin.call(teams.create, { body: { name: 'scenarios' } })
  leader = await newUser(product, 'scenarios-lead', { teamId, roleId: 'leader' })
  appId = (await leader.call(groups.create, { params: { teamId }, body: { name: 'scenarios' } })).id
})
afterAll(() => product?.stop())

const titleOf = ({ name, matrix }: { name: string; matrix: Record<string, string> }): string =>
  [name, ...(Object.keys(matrix).length > 0 ? [`(${Object.values(matrix).join(', ')})`] : [])].join(' ')

const jobsOf = (build: Build) => build.stages.flatMap(({ jobs }) => jobs)

async function act(id: number, build: Build, act: z.infer<typeof Act>): Promise<void> {
  if (act.do === 'stop') await leader.call(builds.stop, { params: { id, number: build.number } })
  else if (act.do === 'pass' || act.do === 'reject') {
    const caller = act.by === 'admin' ? product.admin : leader
    const params = { id, number: build.number, stage: act.stage ?? '' }
    const body = { pass: act.do === 'pass', parameters: act.parameters ?? {} }
    const said = await caller.call(builds.decide, { params, body }).catch((error: unknown) => String(error))
    if (act.refused === undefined) expect(said).toBeNull()
    else expect(said).toContain(act.refused)
  } else if (act.do === 'retry')
    await leader.call(builds.retry, {
      params: { id, number: build.number },
      body: { from: act.from === undefined ? 'failed' : { job: act.from } },
    })
  else await leader.call(builds.cancel, { params: { id, queueId: build.queueId } })
}

const linesOf = async (id: number, build: Build, step: number): Promise<string[]> => {
  const stage = build.stages.find(({ steps }) => steps.some(({ index }) => index === step))?.name ?? ''
  const params = { id, stage, number: build.number }
  return (await leader.call(builds.log, { params, query: { step } })).lines.map(({ text }) => text)
}

test.concurrent.each(scenarios)('%s', async (name) => {
  const definition = parse(readFileSync(join(folder, name, 'pipeline.yaml'), 'utf8')) as object
  const expected = Expected.parse(JSON.parse(readFileSync(join(folder, name, 'expected.json'), 'utf8')))
  const { id } = await leader.call(pipelines.create, {
    body: {
      appId,
      projectName: name.slice(0, 30),
      definition: definition as never,
      variables: expected.variables ?? [],
    },
  })
  const params = { appId, pipelineId: id }
  const setting = await leader.call(pipelines.setting, { params })
  await leader.call(pipelines.setSetting, { params, body: { ...setting, parameters: expected.parameters ?? [] } })
  const { parameters = {}, ...source } = expected.trigger
  const { number } = await leader.call(builds.triggerWithParameters, {
    params: { id },
    body: { parameters, ...source },
  })
  const left = [...expected.acts]
  const build = await until(async () => {
    const now = await leader.call(builds.get, { params: { id, number } })
    const next = left[0]
    if (!next) return isEnded(now.state) && now
    const there = next.at.job === undefined ? now.state : jobsOf(now).find((job) => titleOf(job) === next.at.job)?.state
    if (there === next.at.state) await act(id, now, left.shift() ?? next)
    return false
  })
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
    steps: subset(
      steps.map((step) => [step.name, step.state]),
      expected.steps,
    ),
    why: expected.message === undefined ? '' : build.message,
  }).toEqual({
    state: expected.state,
    jobs: expected.jobs,
    attempts: expected.attempts,
    steps: expected.steps,
    why: expected.message === undefined ? '' : (expect.stringContaining(expected.message) as string),
  })
  for (const [step, lines] of Object.entries(expected.log ?? {}))
    expect(
      (await Promise.all(steps.filter((one) => one.name === step).map((one) => linesOf(id, build, one.index)))).flat(),
    ).toEqual(lines)
})
