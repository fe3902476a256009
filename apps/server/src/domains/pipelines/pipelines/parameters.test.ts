import { builds } from '@gantry/contract/pipelines/builds'
import type { Parameter } from '@gantry/contract/pipelines/parameters'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { mask } from '@gantry/contract/validators'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { refusalOf, testApp } from '../../../../test/test-app.ts'

const app = await testApp()
const team = await app.team()

type Declared = z.input<typeof Parameter>

async function withParameters(parameters: Declared[]) {
  const pipeline = await testPipeline(app, team)
  await declare(pipeline, parameters)
  return pipeline
}

async function declare({ id, appId }: { id: number; appId: number }, parameters: Declared[]) {
  const params = { appId, pipelineId: id }
  const setting = await team.leader.call(pipelines.setting, { params })
  return team.leader.call(pipelines.setSetting, { params, body: { ...setting, parameters } })
}

const start = (id: number, parameters: Record<string, string>) =>
  team.leader.call(builds.triggerWithParameters, { params: { id }, body: { parameters } })

/** The environment that a step of the newest build gets, and the masks of its log. */
async function workOf({ projectName }: { projectName: string }) {
  const agent = await testAgent(app, { labels: [projectName] })
  const [work] = (await agent.claim(1)).work
  return {
    environment: Object.fromEntries((work?.environment ?? []).map(({ name, value }) => [name, value])),
    masked: work?.masked ?? [],
  }
}

describe('a declaration', () => {
  test.each<[string, Declared, string]>([
    ['a choice without values', { name: 'A', kind: 'choice' }, 'parameter-values'],
    ['a choice with an empty value', { name: 'A', kind: 'choice', values: ['x', ' '] }, 'parameter-values'],
    ['a choice with a value twice', { name: 'A', kind: 'choice', values: ['x', 'x '] }, 'parameter-values'],
    ['a pattern that RE2 cannot read', { name: 'A', pattern: '(?=x)x' }, 'pipelines-parameter-pattern-invalid'],
    [
      'a pattern that would be huge',
      { name: 'A', pattern: '((a{1000}){1000}){1000}' },
      'pipelines-parameter-pattern-invalid',
    ],
    ['a default of another kind', { name: 'A', kind: 'number', defaultValue: 'x' }, 'pipelines-parameter-default'],
    ['a default beside the pattern', { name: 'A', pattern: 'v.*', defaultValue: 'x' }, 'pipelines-parameter-default'],
  ])('with %s is refused', async (_, parameter, key) => {
    const pipeline = await testPipeline(app, team)
    await expect(declare(pipeline, [parameter])).rejects.toMatchObject({ status: 400, key })
  })
})

describe('the values of a build', () => {
  const declared: Declared[] = [
    { name: 'TARGET', required: true, pattern: String.raw`v\d+` },
    { name: 'COUNT', kind: 'number', defaultValue: '3' },
    { name: 'WHERE', kind: 'choice', values: ['quay', 'pier'], defaultValue: 'quay' },
    { name: 'FAST', kind: 'boolean', defaultValue: 'false' },
    { name: 'FROM', kind: 'branch', defaultValue: 'main' },
  ]

  test('are those given, else the defaults', async () => {
    const pipeline = await withParameters(declared)
    const { number } = await start(pipeline.id, { TARGET: 'v2', WHERE: 'pier', FAST: 'true' })
    const values = { TARGET: 'v2', COUNT: '3', WHERE: 'pier', FAST: 'true', FROM: 'main' }
    const params = { id: pipeline.id, number }
    expect((await team.leader.call(builds.get, { params })).parameters).toEqual(values)
    expect((await workOf(pipeline)).environment).toMatchObject(values)
  })

  test('are refused together, each with its reason at its place', async () => {
    const pipeline = await withParameters(declared)
    const given = { TARGET: 'v2-beta', COUNT: '1e3', WHERE: 'dock', FAST: 'yes', FROM: '--upload-pack=x' }
    const refusal = await refusalOf(start(pipeline.id, given))
    expect(refusal).toMatchObject({ status: 400, key: 'pipelines-parameters-wrong' })
    expect(refusal.problems?.map(({ path, key }) => [path, key])).toEqual([
      ['parameters.TARGET', 'parameter-pattern'],
      ['parameters.COUNT', 'parameter-number'],
      ['parameters.WHERE', 'parameter-choice'],
      ['parameters.FAST', 'parameter-boolean'],
      ['parameters.FROM', 'branch-invalid'],
    ])
    for (const name of Object.keys(given)) expect(refusal.message).toContain(name)
  })

  test('must not be empty if they are required, however the build is triggered', async () => {
    const pipeline = await withParameters(declared)
    const missing = [{ path: 'parameters.TARGET', key: 'parameter-required' }]
    await expect(start(pipeline.id, { TARGET: '' })).rejects.toMatchObject({ problems: missing })
    await expect(team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })).rejects.toMatchObject({
      problems: missing,
    })
  })

  test('a pattern on which a backtracking engine would hang is evaluated at once', async () => {
    const pipeline = await withParameters([{ name: 'A', pattern: '(a+)+b' }])
    await expect(start(pipeline.id, { A: 'a'.repeat(4_000) })).rejects.toMatchObject({ status: 400 })
  })
})

describe('a secret', () => {
  const secret = { name: 'CODE', kind: 'secret' as const, required: true }

  test('reaches the steps, is masked in their log and in answers, and is sealed in the database', async () => {
    const pipeline = await withParameters([secret])
    const { number } = await start(pipeline.id, { CODE: 'canary-of-a-build' })
    const build = await team.leader.call(builds.get, { params: { id: pipeline.id, number } })
    expect(build.parameters).toEqual({ CODE: mask })
    const rows = await app.db.selectFrom('build').select('parameters').where('pipeline_id', '=', pipeline.id).execute()
    expect(JSON.stringify(rows)).not.toContain('canary')
    const work = await workOf(pipeline)
    expect(work.environment['CODE']).toBe('canary-of-a-build')
    expect(work.masked).toContain('canary-of-a-build')
  })

  test('has a default that the mask stands for', async () => {
    const pipeline = await withParameters([{ ...secret, defaultValue: 'canary-by-default' }])
    const params = { appId: pipeline.appId, pipelineId: pipeline.id }
    expect((await team.leader.call(pipelines.setting, { params })).parameters[0]?.defaultValue).toBe(mask)
    await declare(pipeline, [{ ...secret, description: 'the same', defaultValue: mask }])
    for (const given of [{}, { CODE: mask }] as Record<string, string>[]) {
      await start(pipeline.id, given)
      expect((await workOf(pipeline)).environment['CODE']).toBe('canary-by-default')
    }
    const documents = await app.db
      .selectFrom('pipeline_revision')
      .select('document')
      .where('pipeline_id', '=', pipeline.id)
      .execute()
    expect(JSON.stringify(documents)).not.toContain('canary')
  })

  test('that is required and has no default is refused if only the mask is given', async () => {
    const pipeline = await withParameters([secret])
    await expect(start(pipeline.id, { CODE: mask })).rejects.toMatchObject({ key: 'pipelines-parameters-wrong' })
  })
})

test('a text without conditions is stored as the previous release reads it', async () => {
  const plain = { name: 'NOTE', description: 'why', defaultValue: 'x' }
  const pipeline = await withParameters([plain])
  const { parameters } = await app.db
    .selectFrom('pipeline')
    .select('parameters')
    .where('id', '=', pipeline.id)
    .executeTakeFirstOrThrow()
  expect(parameters).toEqual([plain])
})
