import { builds } from '@gantry/contract/pipelines/builds'
import { Definition } from '@gantry/contract/pipelines/definition'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { versions } from '@gantry/contract/pipelines/editing/versions'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/test-app.ts'

const app = await testApp()
const team = await app.team()
const { id: groupId } = await team.leader.call(groups.create, { params: { teamId: team.id }, body: { name: 'shop' } })

let made = 0
const create = (more: object = {}) =>
  team.leader.call(definitions.create, { body: { appId: groupId, projectName: `pipeline ${++made}`, ...more } })

describe('the original order', () => {
  const step = { type: 'script' as const, name: 'run', run: 'true' }
  const matrix = (axes: Record<string, string[]>, exclude: Record<string, string>[] = []) => ({
    stages: [{ name: 'build', jobs: [{ name: 'all', matrix: { axes, exclude }, steps: [step] }] }],
  })
  const written = matrix({ zeta: ['1', '2'], b: ['x', 'y'], alpha: ['p'] }, [{ zeta: '1', b: 'x', alpha: 'p' }])
  const axesOf = (answer: { stages: { jobs: { matrix?: { axes: object; exclude: object[] } | undefined }[] }[] }) => {
    const found = answer.stages[0]?.jobs[0]?.matrix
    return [found?.axes ?? {}, ...(found?.exclude ?? [])].map((one) => Object.keys(one))
  }
  const inOrder = [
    ['zeta', 'b', 'alpha'],
    ['zeta', 'b', 'alpha'],
  ]

  test('of the axes of a matrix is kept by a new pipeline, a saved definition, a version and a clone', async () => {
    const { id } = await create({ definition: written })
    const params = { appId: groupId, pipelineId: id }
    expect(axesOf(await team.leader.call(definitions.get, { params }))).toEqual(inOrder)
    const other = matrix({ b: ['x'], zeta: ['1'], alpha: ['p'] })
    expect(axesOf(await team.leader.call(definitions.set, { params, body: other }))).toEqual([['b', 'zeta', 'alpha']])
    expect(axesOf(await team.leader.call(definitions.get, { params }))).toEqual([['b', 'zeta', 'alpha']])
    const { document } = await team.leader.call(versions.get, { params: { id, revision: 1 } })
    expect(axesOf(document.definition)).toEqual(inOrder)
    await team.leader.call(definitions.set, { params, body: written })
    const { uuid } = await team.leader.call(pipelines.get, { params: { id } })
    const clone = await team.leader.call(pipelines.clone, {
      params: { uuid },
      body: { projectName: `pipeline ${++made}` },
    })
    const ofClone = { appId: groupId, pipelineId: clone.id }
    expect(axesOf(await team.leader.call(definitions.get, { params: ofClone }))).toEqual(inOrder)
  })

  test('of a matrix’s axes determines the order of its jobs', async () => {
    const { id } = await create({ definition: written })
    const { number } = await team.leader.call(builds.trigger, { params: { id }, body: {} })
    const { stages } = await team.leader.call(builds.get, { params: { id, number } })
    const jobs = stages.flatMap((stage) => stage.jobs)
    expect(jobs.map(({ matrix: { zeta, b, alpha } }) => [zeta, b, alpha].join(' '))).toEqual([
      '1 y p',
      '2 x p',
      '2 y p',
    ])
  })

  test('of the parameters of a step that starts another pipeline is kept', async () => {
    const other = await create()
    const parameters = { zeta: '1', b: '2', alpha: '3' }
    const starts = { type: 'pipeline' as const, name: 'go on', pipelineId: other.id, parameters }
    const { id } = await create({ definition: { stages: [{ name: 'build', steps: [starts] }] } })
    const params = { appId: groupId, pipelineId: id }
    const { stages } = await team.leader.call(definitions.get, { params })
    const [kept] = stages[0]?.steps ?? []
    expect(kept?.type === 'pipeline' && Object.keys(kept.parameters)).toEqual(['zeta', 'b', 'alpha'])
  })

  test('of variables, parameters, and a build’s parameters is kept', async () => {
    const { id } = await create({ definition: { stages: [{ name: 'build', steps: [step] }] } })
    const params = { appId: groupId, pipelineId: id }
    const names = ['zeta', 'b', 'alpha']
    const { revision: _, ...setting } = await team.leader.call(pipelines.setting, { params })
    await team.leader.call(pipelines.setSetting, {
      params,
      body: {
        ...setting,
        variables: names.map((name) => ({ name, value: 'x' })),
        parameters: names.map((name) => ({ name })),
      },
    })
    const kept = await team.leader.call(pipelines.setting, { params })
    expect(kept.variables.map(({ name }) => name)).toEqual(names)
    expect(kept.parameters.map(({ name }) => name)).toEqual(names)
    const { number } = await team.leader.call(builds.trigger, { params: { id }, body: {} })
    const build = await team.leader.call(builds.get, { params: { id, number } })
    expect(Object.keys(build.parameters)).toEqual(names)
  })

  test('is kept of a definition that the previous release has saved', async () => {
    const { id } = await create({ definition: written })
    const next = matrix({ new: ['1'], b: ['x'], alpha: ['p'], zeta: ['1'] })
    const stored = JSON.stringify(Definition.parse(next))
    await sql`update pipeline set definition = ${stored}::jsonb where id = ${id}`.execute(app.db)
    const params = { appId: groupId, pipelineId: id }
    expect(axesOf(await team.leader.call(definitions.get, { params }))).toEqual([['zeta', 'b', 'alpha', 'new']])
  })
})
