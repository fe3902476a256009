import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { versions } from '@gantry/contract/pipelines/editing/versions'
import { mask } from '@gantry/contract/validators'
import { beforeAll, describe, expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'

const app = await testApp()
let team: Awaited<ReturnType<typeof app.team>>
beforeAll(async () => {
  team = await app.team()
})

const step = (run: string) => ({ type: 'script' as const, name: 'make', run })
const stagesOf = (run: string) => [{ name: 'only', steps: [step(run)] }]

/** A pipeline that a colleague changed twice: its stages, then a secret. */
async function changed() {
  const pipeline = await testPipeline(app, team, [step('one')])
  const params = { appId: pipeline.appId, pipelineId: pipeline.id }
  await team.leader.call(definitions.set, { params, body: { stages: stagesOf('two') } })
  const of = { params: { id: pipeline.id } }
  const secret = (value: string) => [{ name: 'TOKEN', value, secret: true }]
  await team.leader.call(pipelines.setVariables, { ...of, body: { variables: secret('first-secret') } })
  await team.leader.call(pipelines.setVariables, { ...of, body: { variables: secret('other-secret') } })
  return { pipeline, of, params }
}

describe('the versions of a pipeline', () => {
  test('are listed newest first, each with its author and changes', async () => {
    const { of } = await changed()
    const { items, totalSize } = await team.leader.call(versions.list, of)
    expect(totalSize).toBe(4)
    expect(items.map(({ revision, fields, current, created }) => [revision, created ? [] : fields, current])).toEqual([
      [4, ['variables'], true],
      [3, ['variables'], false],
      [2, ['definition'], false],
      [1, [], false],
    ])
    expect(new Set(items.map(({ by }) => by))).toEqual(new Set([team.leader.name]))
  })

  test('are read whole, with masked secrets', async () => {
    const { pipeline } = await changed()
    const at = (revision: number) => team.leader.call(versions.get, { params: { id: pipeline.id, revision } })
    expect(await at(1)).toMatchObject({ document: { definition: { stages: stagesOf('one') }, variables: [] } })
    const last = await at(4)
    expect(last.document.variables).toMatchObject([{ name: 'TOKEN', value: mask }])
    expect(JSON.stringify(last)).not.toContain('other-secret')
    await expect(at(5)).rejects.toMatchObject({ status: 404 })
  })

  test('are compared with any other, and a replaced secret is named though both masks look alike', async () => {
    const { pipeline } = await changed()
    const compare = (from: number, revision: number) =>
      team.leader.call(versions.compare, { params: { id: pipeline.id, revision }, query: { from } })
    const path = 'definition.stages.only.steps.make.run'
    const forth = await compare(1, 2)
    expect(forth.fields).toContainEqual({ path, before: 'one', after: 'two' })
    expect(forth.secrets).toEqual([])
    expect((await compare(2, 1)).fields).toContainEqual({ path, before: 'two', after: 'one' })
    expect(await compare(3, 4)).toMatchObject({ fields: [], secrets: ['variables'] })
    expect(await compare(4, 4)).toMatchObject({ fields: [], secrets: [] })
  })
})

describe('a draft', () => {
  test('runs without being saved, and its build shows that, also when it is retried', async () => {
    const { pipeline, of } = await changed()
    const { number } = await team.leader.call(versions.runDraft, { ...of, body: { stages: stagesOf('draft') } })
    const agent = await testAgent(app, { labels: [pipeline.projectName] })
    const [work] = (await agent.claim(1)).work
    expect(work).toMatchObject({ number, stages: stagesOf('draft') })
    if (!work) return
    const failed = { type: 'step' as const, step: 0, state: 'failed' as const, exitCode: 1, at: 0 }
    await agent.events(work, 1, [{ type: 'step', step: 0, state: 'building', at: 0 }, failed])
    await agent.events(work, 3, [{ type: 'end', state: 'failed', logs: [{ step: 0, bytes: 0 }] }])
    const params = { id: pipeline.id, number }
    expect(await team.leader.call(builds.get, { params })).toMatchObject({ draft: true, state: 'failed' })
    await team.leader.call(builds.retry, { params, body: {} })
    expect((await agent.claim(1)).work).toMatchObject([{ number, stages: stagesOf('draft') }])
    // the pipeline is unchanged
    const saved = await team.leader.call(definitions.get, {
      params: { appId: pipeline.appId, pipelineId: pipeline.id },
    })
    expect(saved).toMatchObject({ stages: stagesOf('two') })
    const plain = await team.leader.call(builds.trigger, { ...of, body: {} })
    expect(await team.leader.call(builds.get, { params: { id: pipeline.id, number: plain.number } })).toMatchObject({
      draft: false,
    })
  })

  test('needs the permissions to edit the pipeline and to start its builds', async () => {
    const { of } = await changed()
    const run = async (permissions: string[]) =>
      (await team.member(permissions)).call(versions.runDraft, { ...of, body: { stages: stagesOf('x') } })
    await expect(run(['pipeline_build_execute'])).rejects.toMatchObject({ status: 403 })
    await expect(run(['pipeline_pipeline_edit'])).rejects.toMatchObject({ status: 403 })
    expect(await run(['pipeline_pipeline_edit', 'pipeline_build_execute'])).toMatchObject({ number: 1 })
  })

  test('is refused like a saved definition if it contains a secret', async () => {
    const { of } = await changed()
    const create = { environment: [{ name: 'A', value: 'b', secret: true }] }
    const deploy = { type: 'deploy' as const, name: 'ship', stackUuid: crypto.randomUUID(), service: 'web', create }
    const stages = [{ name: 'only', steps: [deploy] }]
    await expect(team.leader.call(versions.runDraft, { ...of, body: { stages } })).rejects.toMatchObject({
      status: 400,
      key: 'pipelines-definition-secret',
    })
  })
})
