import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'
import { jsonb } from '../../../db/json.ts'

const app = await testApp()
const team = await app.team()

const stagesOf = (stage: string, name: string) => [
  { name: stage, steps: [{ type: 'script' as const, name, run: `echo ${name}` }] },
]

/** A pipeline with a queued build, whose stages and settings were edited afterwards. */
async function editedWhileQueued() {
  const pipeline = await testPipeline(app, team)
  const params = { appId: pipeline.appId, pipelineId: pipeline.id }
  const setting = await team.leader.call(pipelines.setting, { params })
  await team.leader.call(pipelines.setSetting, { params, body: { ...setting, timeoutMinutes: 5 } })
  await team.leader.call(definitions.set, { params, body: { stages: stagesOf('before', 'old') } })
  const { number } = await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
  const read = async () => {
    const { stages } = await team.leader.call(builds.get, { params: { id: pipeline.id, number } })
    return stages.map((stage) => ({ name: stage.name, steps: stage.steps.map((step) => step.name) }))
  }
  const take = async () => {
    const { work } = await (await testAgent(app, { labels: [pipeline.projectName] })).claim(1)
    return work[0]
  }
  const edit = async () => {
    await team.leader.call(definitions.set, { params, body: { stages: stagesOf('after', 'new') } })
    const now = await team.leader.call(pipelines.setting, { params })
    await team.leader.call(pipelines.setSetting, { params, body: { ...now, timeoutMinutes: 9 } })
  }
  return { pipeline, number, read, take, edit }
}

test('a build is shown and run as its pipeline was when it was triggered, whatever is edited later', async () => {
  const { pipeline, number, read, take, edit } = await editedWhileQueued()
  await edit()
  expect(await read()).toEqual([{ name: 'before', steps: ['old'] }])
  const work = await take()
  expect(work).toMatchObject({ number, timeoutSeconds: 300, stages: stagesOf('before', 'old') })
  await edit()
  expect(await read()).toEqual([{ name: 'before', steps: ['old'] }])

  const next = await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  const [newer] = (await agent.claim(1)).work
  expect(newer).toMatchObject({ number: next.number, timeoutSeconds: 540, stages: stagesOf('after', 'new') })
})

test('a build takes its settings from the revision, so that a new setting needs no column', async () => {
  const { pipeline, take } = await editedWhileQueued()
  const of = app.db.selectFrom('build').select(['revision', 'definition']).where('pipeline_id', '=', pipeline.id)
  const queued = await of.executeTakeFirstOrThrow()
  const revision = await app.db
    .selectFrom('pipeline_revision')
    .select('document')
    .where('pipeline_id', '=', pipeline.id)
    .where('revision', '=', queued.revision ?? 0)
    .executeTakeFirstOrThrow()
  // the previous release reads the row's own columns
  expect(revision.document).toMatchObject({ definition: queued.definition, timeoutMinutes: 5 })
  await app.db
    .updateTable('build')
    .set({ definition: jsonb({ stages: [] }) })
    .where('pipeline_id', '=', pipeline.id)
    .execute()
  expect(await take()).toMatchObject({ stages: stagesOf('before', 'old') })
})

test('a build that the previous release queued runs what its row contains', async () => {
  const { pipeline, take, edit } = await editedWhileQueued()
  await app.db.updateTable('build').set({ revision: null }).where('pipeline_id', '=', pipeline.id).execute()
  await edit()
  expect(await take()).toMatchObject({ stages: stagesOf('before', 'old') })
})

test('deleting a pipeline deletes its builds and revisions', async () => {
  const { pipeline, number } = await editedWhileQueued()
  await team.leader.call(builds.stop, { params: { id: pipeline.id, number } })
  await team.leader.call(pipelines.remove, {
    params: { appId: pipeline.appId, pipelineId: pipeline.id },
    query: { confirm: pipeline.projectName },
  })
  const left = app.db.selectFrom('pipeline_revision').select('revision').where('pipeline_id', '=', pipeline.id)
  expect(await left.execute()).toEqual([])
})
