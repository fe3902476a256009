import { builds } from '@gantry/contract/pipelines/builds'
import { Parameter } from '@gantry/contract/pipelines/parameters'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { beforeAll, describe, expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'
import { triggerBuild } from './builds.service.ts'

const app = await testApp()
let team: Awaited<ReturnType<typeof app.team>>
beforeAll(async () => {
  team = await app.team()
})

/** A pipeline with a secret variable of this scope, a secret parameter and a plain variable. */
async function withSecret(scope: { branches?: string[]; steps?: string[] } = {}) {
  const pipeline = await testPipeline(app, team)
  const { revision: _, ...setting } = await team.leader.call(pipelines.setting, {
    params: { appId: pipeline.appId, pipelineId: pipeline.id },
  })
  await team.leader.call(pipelines.setSetting, {
    params: { appId: pipeline.appId, pipelineId: pipeline.id },
    body: {
      ...setting,
      variables: [
        { name: 'TOKEN', value: 'the token', secret: true, ...scope },
        { name: 'MODE', value: 'fast', secret: false },
      ],
      parameters: [Parameter.parse({ name: 'CODE', kind: 'secret', defaultValue: 'the code' })],
    },
  })
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  /** The environment of the build with this number, or of the only build. */
  const environmentOf = async (number?: number) => {
    const { work } = await agent.claim()
    return work.find((one) => number === undefined || one.number === number)?.environment ?? []
  }
  return { pipeline, environmentOf }
}

describe('a secret variable', () => {
  test.each([
    ['release/1', 'release/*', true],
    ['main', 'release/*', false],
    ['release/1/fix', 'release/*', false],
    ['release/1/fix', 'release/**', true],
  ])('is given to a build of %s if its branches are %s: %s', async (branch, glob, given) => {
    const { pipeline, environmentOf } = await withSecret({ branches: [glob] })
    await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: { branch } })
    const names = (await environmentOf()).map(({ name }) => name)
    expect(names.includes('TOKEN')).toBe(given)
    expect(names).toEqual(expect.arrayContaining(['MODE', 'CODE']))
  })

  test('is given only to builds of its branches and to its steps', async () => {
    const scope = { branches: ['main'], steps: ['publish'] }
    const [one, two] = [await withSecret(scope), await withSecret(scope)]
    await team.leader.call(builds.trigger, { params: { id: one.pipeline.id }, body: { branch: 'main' } })
    expect(await one.environmentOf()).toContainEqual({ name: 'TOKEN', value: 'the token', steps: ['publish'] })
    await team.leader.call(builds.trigger, { params: { id: two.pipeline.id }, body: { tag: 'v1' } })
    expect((await two.environmentOf()).map(({ name }) => name)).not.toContain('TOKEN')
  })

  test.each([
    [true, 'is not given'],
    [false, 'is given'],
  ])('for a merge request whose source is in a fork (%s) %s', async (fork) => {
    const { pipeline, environmentOf } = await withSecret()
    const mergeRequest = { number: 7, source: 'fix', target: 'main', fork }
    await triggerBuild(app.ctx(team.leader), pipeline.id, { cause: 'webhook', branch: 'fix', mergeRequest })
    const environment = await environmentOf()
    expect(environment).toContainEqual({ name: 'MODE', value: 'fast' })
    expect(JSON.stringify(environment).includes('the token')).toBe(!fork)
    expect(JSON.stringify(environment).includes('the code')).toBe(!fork)
  })

  test('is not given to a manual build of a commit known from forks only, until the commit is pushed', async () => {
    const { pipeline, environmentOf } = await withSecret()
    const commit = 'd1d1293ab6eb20821f73bb8dabb8ebb294bc5847'
    const getsSecret = async (cause: 'webhook' | 'manual', more: object = {}) => {
      const trigger = { cause, branch: 'fix', commit, ...more }
      const { number } = await triggerBuild(app.ctx(team.leader), pipeline.id, trigger)
      const environment = await environmentOf(number)
      expect(environment).toContainEqual({ name: 'MODE', value: 'fast' })
      return JSON.stringify(environment).includes('the token')
    }
    const mergeRequest = { number: 7, source: 'fix', target: 'main', fork: true }
    expect(await getsSecret('webhook', { mergeRequest })).toBe(false)
    expect(await getsSecret('manual')).toBe(false)
    expect(await getsSecret('webhook')).toBe(true)
    expect(await getsSecret('manual')).toBe(true)
  })
})
