import { dockerfiles } from '@gantry/contract/dockerfiles/dockerfiles'
import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { beforeAll, describe, expect, test } from 'vitest'
import { testAgent } from '../../../test/build-agent.ts'
import { testApp, type TestCaller } from '../../../test/test-app.ts'

const app = await testApp()
let [team, other] = [await app.team(), await app.team()]
let groupId = 0
let registryId = 0
let made = 0

beforeAll(async () => {
  ;[team, other] = [await app.team(), await app.team()]
  groupId = (await team.leader.call(groups.create, { params: { teamId: team.id }, body: { name: 'all' } })).id
  const registry = app.db
    .insertInto('registry')
    .values({ team_id: team.id, name: 'images', url: 'https://registry.example.com' })
  registryId = (await registry.returning('id').executeTakeFirstOrThrow()).id
})

const content = 'FROM scratch\nCOPY app /app\n'
const create = (name = `dockerfile ${++made}`, more: { description?: string; content?: string } = {}) =>
  team.leader.call(dockerfiles.create, { params: { teamId: team.id }, body: { name, content, ...more } })
const remove = (id: number, of = team, by: TestCaller = of.leader) =>
  by.call(dockerfiles.remove, { params: { teamId: of.id, dockerfileId: id } })
const list = (query: { keyword?: string; requestPage?: number; pageSize?: number } = {}) =>
  team.leader.call(dockerfiles.list, { params: { teamId: team.id }, query })

const builtBy = (id: number, projectName: string) =>
  team.leader.call(definitions.create, {
    body: {
      appId: groupId,
      projectName,
      definition: {
        stages: [
          {
            name: 'build',
            steps: [
              {
                type: 'image',
                name: 'image',
                method: 'dockerfile',
                dockerfile: { id },
                registryId,
                repository: 'web',
              },
            ],
          },
        ],
      },
    },
  })

describe('the Dockerfiles of a team', () => {
  test('are listed by name in pages, searched by name and description, without their content', async () => {
    await create('listed b', { description: 'the harbour' })
    await create('listed a')
    await create('other', { description: 'listed, too' })
    const page = await list({ keyword: 'listed', pageSize: 2 })
    expect(page.items.map(({ name }) => name)).toEqual(['listed a', 'listed b'])
    expect(page.totalSize).toBe(3)
    expect(page.items[0]).not.toHaveProperty('content')
    expect((await list({ keyword: 'listed', pageSize: 2, requestPage: 2 })).items).toHaveLength(1)
    expect((await list({ keyword: 'harbour' })).items).toMatchObject([{ revision: 1, updatedBy: team.leader.name }])
  })

  test.each([
    ['a name of 255 code points', { name: '𝒟'.repeat(255) }, undefined],
    ['a name of 256', { name: '𝒟'.repeat(256) }, 'dockerfile-name-too-long'],
    ['a description of 1,000 code points', { description: '🚢'.repeat(1000) }, undefined],
    ['a description of 1,001', { description: '🚢'.repeat(1001) }, 'description-too-long'],
    ['a blank name', { name: '  ' }, 'name-required'],
    ['a name that begins with a dash', { name: '-f' }, 'name-leading-dash'],
    ['a name with a change of direction', { name: 'a\u202eb' }, 'text-hidden-characters'],
    ['a name with a zero-width character', { name: 'a\u200bb' }, 'text-hidden-characters'],
    ['no content', { content: '' }, 'dockerfile-content-required'],
  ])('are limited: %s', async (_, given, problem) => {
    const body = { name: `limits ${++made}`, content, ...given }
    const answer = team.leader.call(dockerfiles.create, { params: { teamId: team.id }, body })
    if (problem === undefined) expect(await answer).toMatchObject(given)
    else await expect(answer).rejects.toMatchObject({ status: 400, problems: [{ key: problem }] })
  })

  test('have unique names, even if created concurrently', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => create('only one')))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(create('only one')).rejects.toMatchObject({ status: 409, key: 'dockerfiles-name-taken' })
  })

  test('are changed only on the latest revision', async () => {
    const { id, revision } = await create()
    const params = { teamId: team.id }
    const change = (name: string) =>
      team.leader.call(dockerfiles.update, { params, body: { id, name, content: 'FROM a:1', revision } })
    expect(await change('changed first')).toMatchObject({ revision: 2, content: 'FROM a:1' })
    await expect(change('changed second')).rejects.toMatchObject({ status: 409, key: 'dockerfiles-changed-since' })
    const { id: another } = await create()
    const taken = team.leader.call(dockerfiles.update, {
      params,
      body: { id: another, name: 'changed first', content },
    })
    await expect(taken).rejects.toMatchObject({ status: 409, key: 'dockerfiles-name-taken' })
  })

  test('are cloned under the first free name, or under a given one', async () => {
    const source = await create('cloned', { description: 'as it is' })
    const clone = (name?: string) =>
      team.leader.call(dockerfiles.clone, {
        params: { teamId: team.id, dockerfileId: source.id },
        body: name === undefined ? {} : { name },
      })
    expect(await clone()).toMatchObject({ name: 'cloned 2', description: 'as it is', content, revision: 1 })
    expect(await clone()).toMatchObject({ name: 'cloned 3' })
    expect(await clone('the copy')).toMatchObject({ name: 'the copy' })
    await expect(clone('the copy')).rejects.toMatchObject({ key: 'dockerfiles-name-taken' })
  })

  test('do not exist for another team', async () => {
    const { id } = await create()
    const params = { teamId: other.id, dockerfileId: id }
    const missing = { status: 404, key: 'resource-missing' }
    await expect(other.leader.call(dockerfiles.get, { params })).rejects.toMatchObject(missing)
    await expect(other.leader.call(dockerfiles.clone, { params, body: {} })).rejects.toMatchObject(missing)
    await expect(
      other.leader.call(dockerfiles.update, { params: { teamId: other.id }, body: { id, name: 'mine', content } }),
    ).rejects.toMatchObject(missing)
    await expect(remove(id, other)).rejects.toMatchObject(missing)
    await expect(remove(2_000_000_000)).rejects.toMatchObject(missing)
  })
})

describe('a Dockerfile that a pipeline uses', () => {
  test('is not deleted until the pipeline uses another, and the refusal names the pipeline', async () => {
    const [{ id, name }, { id: next }] = [await create(), await create()]
    const pipeline = await builtBy(id, 'builds by it')
    expect((await list({ keyword: name })).items).toMatchObject([{ pipelineNum: 1 }])
    await expect(remove(id)).rejects.toMatchObject({ status: 409, key: 'dockerfiles-in-use' })
    await expect(remove(id)).rejects.toThrow('builds by it')
    const params = { appId: groupId, pipelineId: pipeline.id }
    const { stages, revision } = await team.leader.call(definitions.get, { params })
    await team.leader.call(definitions.set, {
      params,
      body: { stages: JSON.parse(JSON.stringify(stages).replace(`"id":${id}`, `"id":${next}`)) as never, revision },
    })
    expect(await remove(id)).toBeNull()
    await team.leader.call(pipelines.remove, { params, query: { confirm: 'builds by it' } })
    expect(await remove(next)).toBeNull()
  })

  test('is sent to the agent with the job, as it is at that time', async () => {
    const { id, name } = await create()
    const pipeline = await builtBy(id, 'comes with it')
    await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
    const now = 'FROM scratch\nLABEL now=true\n'
    await team.leader.call(dockerfiles.update, { params: { teamId: team.id }, body: { id, name, content: now } })
    const agent = await testAgent(app)
    const { work } = await agent.claim(1)
    expect(work.find(({ pipelineId }) => pipelineId === pipeline.id)?.dockerfiles).toEqual([{ id, content: now }])
  })

  test('must belong to the pipeline’s team', async () => {
    const foreign = await other.leader.call(dockerfiles.create, {
      params: { teamId: other.id },
      body: { name: 'foreign', content },
    })
    const refused = { status: 400, key: 'pipelines-dockerfile-unknown' }
    await expect(builtBy(foreign.id, 'takes theirs')).rejects.toMatchObject(refused)
    await expect(builtBy(2_000_000_000, 'takes none')).rejects.toMatchObject(refused)
  })

  test('is either kept or refused, if it is deleted while a pipeline is saved with it', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await create()
      const [used, removed] = await Promise.allSettled([builtBy(id, `at once ${round}`), remove(id)])
      expect([used.status, removed.status].toSorted()).toEqual(['fulfilled', 'rejected'])
      const why: unknown = used.status === 'rejected' ? used.reason : removed.status === 'rejected' && removed.reason
      expect(why).toMatchObject({
        key: expect.stringMatching(/^(pipelines-dockerfile-unknown|related-meanwhile|dockerfiles-in-use)$/) as string,
      })
    }
  })
})
