import { builds } from '@gantry/contract/pipelines/builds'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'
import { jsonb } from '../../../db/json.ts'
import { keysOf, seal } from '../../../kernel/secrets/secrets.ts'
import { writeRepository } from '../../artifact-repository/settings.store.ts'
import { insertRegistry } from '../../images/registries.store.ts'

const app = await testApp()
/** A secret sealed by another installation, or by this one before it lost its key. */
const lost = seal({ keys: keysOf(['the key of another installation']) }, 'gone')
const secret = (name: string) => jsonb([{ name, value: lost, secret: true }])

/** A pipeline of a new team, whose builds are taken by agents with this label. */
async function pipelineFor(label: string, steps: (team: { id: number }) => Promise<StepInput[]>) {
  const team = await app.team()
  const { id, appId } = await testPipeline(app, team, await steps(team))
  await app.db
    .updateTable('pipeline')
    .set({ agent_labels: [label] })
    .where('id', '=', id)
    .execute()
  return {
    id,
    appId,
    team,
    trigger: () => team.leader.call(builds.trigger, { params: { id }, body: {} }),
    build: () => team.leader.call(builds.get, { params: { id, number: 1 } }),
  }
}
type Ill = Awaited<ReturnType<typeof pipelineFor>>

const plain = async (): Promise<StepInput[]> => [{ type: 'script', name: 'hello', run: 'true' }]

/** Pipelines of two teams, one of which gets a secret that cannot be opened, and an agent for both. */
const two = async (label: string, steps: Parameters<typeof pipelineFor>[1] = plain) => ({
  agent: await testAgent(app, { labels: [label] }),
  ill: await pipelineFor(label, steps),
  well: await pipelineFor(label, plain),
})

const pipelineSet =
  (values: Record<string, unknown>) =>
  async ({ id }: Ill) =>
    void (await app.db.updateTable('pipeline').set(values).where('id', '=', id).execute())

describe('a job whose work cannot be made fails with the reason, and the agent gets the next one', () => {
  test.for<[what: string, broken: (ill: Ill) => Promise<void>, named: string]>([
    ['a variable', pipelineSet({ variables: secret('DEPLOY_TOKEN') }), 'DEPLOY_TOKEN'],
    [
      'a variable of the group',
      async ({ appId }) => {
        const variables = secret('GROUP_TOKEN')
        await app.db.updateTable('pipeline_group').set({ variables }).where('id', '=', appId).execute()
      },
      'GROUP_TOKEN',
    ],
    [
      'a parameter',
      async ({ id }) => {
        const parameters = jsonb({ CODE: lost })
        const values = { parameters, secret_parameters: ['CODE'] }
        await app.db.updateTable('build').set(values).where('pipeline_id', '=', id).execute()
      },
      'CODE',
    ],
    [
      'the password of its repository',
      pipelineSet({ repository_url: 'https://git.example.test/a.git', repository_password: lost }),
      'https://git.example.test/a.git',
    ],
    [
      'its credential',
      async ({ id, team }) => {
        const values = {
          team_id: team.id,
          name: 'bot of the shop',
          kind: 'token' as const,
          host: 'git.example.test',
          secret: lost,
          description: '',
          username: 'bot',
        }
        const { id: credential } = await app.db
          .insertInto('pipeline_credential')
          .values(values)
          .returning('id')
          .executeTakeFirstOrThrow()
        const repository = { repository_url: 'https://git.example.test/a.git', repository_credential_id: credential }
        await app.db.updateTable('pipeline').set(repository).where('id', '=', id).execute()
      },
      'bot of the shop',
    ],
    [
      'its definition',
      async ({ id }) => {
        await sql`update pipeline_revision set document = jsonb_set(document, '{definition}', '"of a release to come"')
          where pipeline_id = ${id}`.execute(app.db)
      },
      'the number',
    ],
  ])('%s', async ([what, broken, named]) => {
    const { agent, ill, well } = await two(what)
    await ill.trigger()
    await well.trigger()
    await broken(ill)
    const { work } = await agent.claim(1)
    expect(work.map(({ pipelineId }) => pipelineId)).toEqual([well.id])
    expect(await ill.build()).toMatchObject({ state: 'failed', message: expect.stringContaining(named) })
    expect(await well.build()).toMatchObject({ state: 'building' })
  })

  test('a registry', async () => {
    const registry = { name: 'images', url: 'https://registry.example.test', username: 'bot', password: null }
    let registryId = 0
    const { agent, ill, well } = await two('a registry', async (team) => {
      registryId = (await insertRegistry(app.db, { ...registry, teamId: team.id, sandbox: false })) ?? 0
      return [{ type: 'image', name: 'image', registryId, repository: 'a/b' }]
    })
    await ill.trigger()
    await well.trigger()
    await app.db.updateTable('registry').set({ password: lost }).where('id', '=', registryId).execute()
    expect((await agent.claim(1)).work.map(({ pipelineId }) => pipelineId)).toEqual([well.id])
    expect(await ill.build()).toMatchObject({ state: 'failed', message: expect.stringContaining(registry.url) })
  })

  test('the artifact repository, which every build uses', async () => {
    const { agent, ill } = await two('artifacts')
    await ill.trigger()
    const given = { url: 'https://packages.example.test', userName: 'bot', revision: 1 }
    await writeRepository(app.db, { ...given, password: lost })
    expect((await agent.claim(1)).work).toEqual([])
    expect(await ill.build()).toMatchObject({ state: 'failed', message: expect.stringContaining(given.url) })
    await writeRepository(app.db, { ...given, password: '' })
    await ill.trigger()
    expect((await agent.claim(1)).work).toHaveLength(1)
  })

  test('also if the answer was lost and the work is sent again', async () => {
    const { agent, ill, well } = await two('again')
    await ill.trigger()
    await well.trigger()
    expect((await agent.claim(2)).work).toHaveLength(2)
    await pipelineSet({ variables: secret('DEPLOY_TOKEN') })(ill)
    expect((await agent.claim(2)).work.map(({ pipelineId }) => pipelineId)).toEqual([well.id])
    expect(await ill.build()).toMatchObject({ state: 'failed', message: expect.stringContaining('DEPLOY_TOKEN') })
  })

  test('also several times in a row, until a job can run', async () => {
    const { agent, ill, well } = await two('many')
    for (let n = 0; n < 3; n += 1) await ill.trigger()
    await well.trigger()
    await pipelineSet({ variables: secret('DEPLOY_TOKEN') })(ill)
    expect((await agent.claim(1)).work.map(({ pipelineId }) => pipelineId)).toEqual([well.id])
  })
})
