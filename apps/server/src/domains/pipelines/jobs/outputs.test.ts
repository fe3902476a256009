import { builds } from '@gantry/contract/pipelines/builds'
import type { StageInput } from '@gantry/contract/pipelines/definition'
import { expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'

const app = await testApp()
const team = await app.team()

const script = { type: 'script' as const, run: 'true' }
const end = { type: 'end' as const, state: 'success' as const, logs: [] }

test('outputs of a matrix are read by job, also in conditions; read by step alone, the last job’s output counts', async () => {
  const when = (name: string, value: string) => ({ output: { name, in: [value] } })
  const steps = [{ ...script, name: 'use' }]
  const stages: StageInput[] = [
    {
      name: 'first',
      jobs: [
        { name: 'make', matrix: { axes: { OS: ['old', 'new'] } }, steps: [{ ...script, name: 'tell' }] },
        { name: 'one', steps: [{ ...script, name: 'alone' }] },
      ],
    },
    {
      name: 'second',
      jobs: [
        { name: 'yes', when: when('make (old).tell.KEY', 'of old'), steps },
        { name: 'no', when: when('make (old).tell.KEY', 'of new'), steps },
        { name: 'short', when: when('tell.KEY', 'of new'), steps },
      ],
    },
  ]
  const pipeline = await testPipeline(app, team, undefined, stages)
  const { number } = await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  // the last job of the definition ends first
  for (const work of (await agent.claim()).work.toSorted((a, b) => b.firstStep - a.firstStep)) {
    const own = work.environment.find(({ name }) => name === 'OS')?.value ?? 'one'
    await agent.events(work, 1, [{ type: 'output', step: work.firstStep, values: { KEY: `of ${own}` } }, end])
  }
  const { work } = await agent.claim()
  const build = await team.leader.call(builds.get, { params: { id: pipeline.id, number } })
  expect(build.stages[1]?.steps.map(({ state }) => state)).toEqual(['pending', 'not_built', 'pending'])
  const outputs = {
    'make (old).tell.KEY': 'of old',
    'make (new).tell.KEY': 'of new',
    'one.alone.KEY': 'of one',
    'tell.KEY': 'of new',
    'alone.KEY': 'of one',
  }
  expect(work.map((one) => one.outputs)).toEqual([outputs, outputs])
  const variables = work[0]?.environment.filter(({ name }) => name.startsWith('GANTRY_OUTPUT_'))
  expect(Object.fromEntries(variables?.map(({ name, value }) => [name, value]) ?? [])).toEqual({
    GANTRY_OUTPUT_MAKE__OLD__TELL_KEY: 'of old',
    GANTRY_OUTPUT_MAKE__NEW__TELL_KEY: 'of new',
    GANTRY_OUTPUT_ONE_ALONE_KEY: 'of one',
    GANTRY_OUTPUT_TELL_KEY: 'of new',
    GANTRY_OUTPUT_ALONE_KEY: 'of one',
  })
})
