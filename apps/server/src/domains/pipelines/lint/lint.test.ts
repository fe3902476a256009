import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { lint } from '@gantry/contract/pipelines/editing/lint'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { beforeAll, expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'
import { insertRegistry } from '../../images/registries.store.ts'

const app = await testApp()
let team: Awaited<ReturnType<typeof app.team>>
beforeAll(async () => {
  team = await app.team()
})

const script = { type: 'script', name: 'make', run: 'true' } as const
const deploy = { type: 'deploy', name: 'ship', stackUuid: crypto.randomUUID(), service: 'web' } as const

test('a definition that could not run is saved, with a warning at each place', async () => {
  const pipeline = await testPipeline(app, team, [script])
  await testAgent(app, { labels: [pipeline.projectName] })
  const params = { id: pipeline.id }
  expect(await team.leader.call(lint.stored, { params })).toEqual([])
  const stages = [{ name: 'only', steps: [script, deploy] }]
  const words = 'The step ship deploys to a stack that is gone. Choose another one.'
  const wanted = [{ path: 'stages.0.steps.1.stackUuid', key: 'pipelines-lint-stack', text: words, fatal: true }]
  expect(await team.leader.call(lint.draft, { params, body: { stages } })).toEqual(wanted)
  // the draft is not saved
  expect(await team.leader.call(lint.stored, { params })).toEqual([])
  const saved = await team.leader.call(definitions.set, {
    params: { appId: pipeline.appId, pipelineId: pipeline.id },
    body: { stages },
  })
  expect(saved.warnings).toEqual(wanted)
  expect(await team.leader.call(lint.stored, { params })).toEqual(wanted)
})

test('linting a draft leaves no row in the audit log', async () => {
  const { id } = await testPipeline(app, team, [script])
  await team.leader.call(lint.draft, { params: { id }, body: { stages: [] } })
  const rows = await app.db.selectFrom('audit_log').select('id').where('action', '=', 'pipeline.lint').execute()
  expect(rows).toEqual([])
})

test('a build that would reach a step that can never run is refused, and one that skips it is not', async () => {
  const only = (branch: string) => ({ ...deploy, when: { branches: [branch] } })
  const refused = await testPipeline(app, team, [script, only('main')])
  const trigger = (id: number) => team.leader.call(builds.trigger, { params: { id }, body: { branch: 'main' } })
  await expect(trigger(refused.id)).rejects.toMatchObject({
    status: 409,
    key: 'pipelines-cannot-run',
    message: expect.stringContaining('The step ship deploys to a stack that is gone') as string,
  })
  const passing = await testPipeline(app, team, [script, only('release')])
  expect(await trigger(passing.id)).toMatchObject({ number: 1 })
})

test('a registry of another team counts as missing', async () => {
  const other = await app.team()
  const registry = { name: 'theirs', url: 'https://registry.example.test', username: '', password: null }
  const registryId = (await insertRegistry(app.db, { ...registry, teamId: other.id, sandbox: false })) ?? 0
  const image = { type: 'image', name: 'push', registryId, repository: 'web' } as const
  const { id } = await testPipeline(app, team, [image])
  expect(await team.leader.call(lint.stored, { params: { id } })).toContainEqual(
    expect.objectContaining({ path: 'stages.0.steps.0.registryId', key: 'pipelines-lint-registry', fatal: true }),
  )
})

test('an agent of another team counts as missing, and a build that no agent can take waits rather than being refused', async () => {
  const other = await app.team()
  const { id } = await testPipeline(app, team, [script])
  const found = () => team.leader.call(lint.stored, { params: { id } })
  expect(await found()).toMatchObject([{ path: 'stages.0', key: 'pipelines-lint-agent-labels' }])
  const { projectName } = await team.leader.call(pipelines.get, { params: { id } })
  const agent = await testAgent(app, { labels: [projectName] })
  expect(await found()).toEqual([])
  await app.db.updateTable('agent').set({ team_id: other.id }).where('id', '=', agent.id).execute()
  expect(await found()).toMatchObject([{ key: 'pipelines-lint-agent-labels' }])
  expect(await team.leader.call(builds.trigger, { params: { id }, body: {} })).toMatchObject({ number: 1 })
})
