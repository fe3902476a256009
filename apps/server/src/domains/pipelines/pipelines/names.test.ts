import { builds } from '@gantry/contract/pipelines/builds'
import type { StageInput, StepInput } from '@gantry/contract/pipelines/definition'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { Parameter } from '@gantry/contract/pipelines/parameters'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { refusalOf, testApp } from '../../../../test/test-app.ts'

const app = await testApp()
let team: Awaited<ReturnType<typeof app.team>>
beforeAll(async () => {
  team = await app.team()
})

const script = (change: object = {}): StepInput => ({ type: 'script', name: 'a', run: 'true', ...change })
const stage = (change: object = {}): StageInput => ({ name: 'only', steps: [script()], ...change })
const inJob = (change: object = {}): StageInput => ({
  name: 'only',
  jobs: [{ name: 'j', steps: [script()], ...change }],
})
const at = ({ appId, id }: { appId: number; id: number }) => ({ params: { appId, pipelineId: id } })
const wrong = ['a.b', 'my-var', '.', '-x', 'a.']

describe('is refused at its field', () => {
  test.each<[StageInput, string, string]>([
    [stage({ name: '.' }), 'stages.0.name', 'name-dots'],
    [stage({ steps: [script(), script({ name: '..' })] }), 'stages.0.steps.1.name', 'name-dots'],
    [inJob({ name: '..' }), 'stages.0.jobs.0.name', 'name-dots'],
    [inJob({ steps: [script({ name: '.' })] }), 'stages.0.jobs.0.steps.0.name', 'name-dots'],
    [
      stage({
        steps: [
          script({
            environment: [
              { name: 'OK', value: '' },
              { name: 'a.b', value: '' },
            ],
          }),
        ],
      }),
      'stages.0.steps.0.environment.1.name',
      'variable-name-shell',
    ],
    [
      inJob({ matrix: { axes: { 'node-version': ['1'] } } }),
      'stages.0.jobs.0.matrix.axes.node-version',
      'variable-name-shell',
    ],
    [stage({ when: { paths: ['../src'] } }), 'stages.0.when.paths.0', 'glob-path-never'],
  ])('%j', async (given, path, key) => {
    const pipeline = await testPipeline(app, team)
    const refusal = await refusalOf(team.leader.call(definitions.set, { ...at(pipeline), body: { stages: [given] } }))
    expect(refusal).toMatchObject({ status: 400, key, problems: [{ path, key }] })
    const { appId } = pipeline
    const body = { appId, projectName: 'another', definition: { stages: [given] } }
    expect(await refusalOf(team.leader.call(definitions.create, { body }))).toMatchObject({ key, problems: [{ path }] })
  })

  test.each(wrong)('a variable that no shell can set is refused wherever it is set: %s', async (name) => {
    const pipeline = await testPipeline(app, team)
    const { appId, id } = pipeline
    const setting = await team.leader.call(pipelines.setting, at(pipeline))
    const variables = [
      { name: 'FINE_1', value: '' },
      { name, value: 'v' },
    ]
    const refused = (path: string) => ({ status: 400, key: 'variable-name-shell', problems: [{ path }] })
    const ofVariable = refused('variables.1.name')
    const { leader } = team
    expect(
      await refusalOf(leader.call(pipelines.setSetting, { ...at(pipeline), body: { ...setting, variables } })),
    ).toMatchObject(ofVariable)
    expect(await refusalOf(leader.call(pipelines.setVariables, { params: { id }, body: { variables } }))).toMatchObject(
      ofVariable,
    )
    expect(
      await refusalOf(leader.call(definitions.create, { body: { appId, projectName: 'another', variables } })),
    ).toMatchObject(ofVariable)
    expect(
      await refusalOf(leader.call(groups.setVariables, { params: { id: appId }, body: { variables } })),
    ).toMatchObject(ofVariable)
    const parameters = [Parameter.parse({ name })]
    expect(
      await refusalOf(leader.call(pipelines.setSetting, { ...at(pipeline), body: { ...setting, parameters } })),
    ).toMatchObject(refused('parameters.0.name'))
  })
})

test('a name stored by an earlier release is read, runs, and does not block other changes', async () => {
  const pipeline = await testPipeline(app, team)
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  const old = JSON.stringify([{ name: 'my.var', value: 'v1', secret: false }])
  const parameters = JSON.stringify([Parameter.parse({ name: 'my-parameter', defaultValue: 'v2' })])
  const definition = JSON.stringify({
    stages: [
      {
        name: '.',
        steps: [{ type: 'script', name: '..', run: 'true', shell: 'sh', environment: [{ name: 'a.b', value: 'v3' }] }],
      },
    ],
  })
  await sql`update pipeline set variables = ${old}::jsonb, parameters = ${parameters}::jsonb, definition = ${definition}::jsonb
    where id = ${pipeline.id}`.execute(app.db)
  await sql`update pipeline_group set variables = ${old}::jsonb where id = ${pipeline.appId}`.execute(app.db)
  const { leader } = team
  const setting = await leader.call(pipelines.setting, at(pipeline))
  const { variables } = await leader.call(groups.variables, { params: { id: pipeline.appId } })
  expect([setting.variables, variables]).toMatchObject([[{ name: 'my.var' }], [{ name: 'my.var' }]])
  await leader.call(pipelines.setSetting, { ...at(pipeline), body: { ...setting, description: 'changed' } })
  await leader.call(groups.setVariables, { params: { id: pipeline.appId }, body: { variables } })
  const { stages } = await leader.call(definitions.get, at(pipeline))
  await leader.call(definitions.set, {
    ...at(pipeline),
    body: { stages: [...stages, stage({ name: 'more', steps: [script({ name: 'b' })] })] },
  })
  await leader.call(pipelines.clone, {
    params: { uuid: pipeline.uuid },
    body: { projectName: `${pipeline.projectName} again` },
  })
  await leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
  const [work] = (await agent.claim()).work
  const given = Object.fromEntries((work?.environment ?? []).map(({ name, value }) => [name, value]))
  expect(given).toMatchObject({ 'my.var': 'v1', 'my-parameter': 'v2' })
})
