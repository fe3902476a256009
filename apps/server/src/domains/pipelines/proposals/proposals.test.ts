import { buildImages } from '@gantry/contract/build-images/build-images'
import { credentials } from '@gantry/contract/pipelines/credentials'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { proposals } from '@gantry/contract/pipelines/editing/proposals'
import { mask } from '@gantry/contract/validators'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gitServer } from '../../../../../agent/test/git-server.ts'
import { testAgent } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'
import { createGit } from '../../../adapters/git/git.ts'
import { createOutbound } from '../../../adapters/outbound/outbound.ts'

const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const git = createGit({ path: process.env['PATH'] ?? '', outbound })
const app = await testApp({ ports: { git, outbound } })
const host = await gitServer()
const shop = await host.add('shop')
const smart = `${host.url}/smart/shop.git`
const withPassword = { url: `${host.url}/private/shop.git`, username: 'robin', password: 'open sesame' }

beforeAll(async () => {
  await host.commit('main', { 'README.md': 'hello' })
  await shop.commit('main', {
    'package.json': '{"scripts":{"test":"node --test"}}',
    'package-lock.json': '{}',
    'api/go.mod': 'module api\n\ngo 1.22\n',
    'api/Dockerfile': 'FROM scratch\n',
  })
})
afterAll(async () => {
  await host.close()
  await outbound.close()
})

type Team = Awaited<ReturnType<typeof app.team>>
const lookBy = (by: Pick<Team['leader'], 'call'>, { id: teamId }: Pick<Team, 'id'>, repository: object) =>
  by.call(proposals.look, { params: { teamId }, body: { repository: { url: smart, ...repository } } })
const look = (team: Team, repository: object = {}) => lookBy(team.leader, team, repository)

let made = 0
const createBy = (by: Pick<Team['leader'], 'call'>, { id: teamId }: Pick<Team, 'id'>, body: object = {}) =>
  by.call(proposals.create, { params: { teamId }, body: { projectName: `shop ${++made}`, ...body } })
const create = (team: Team, body: object = {}) => createBy(team.leader, team, body)

describe('looking at a repository', () => {
  test('proposes ordinary pipelines for its content, each with its reason', async () => {
    const found = await look(await app.team())
    expect(found).toMatchObject({ branches: ['main'], branch: 'main', hostKey: null, isCut: false })
    expect(found.commit).toBe(await shop.git('rev-parse', 'main'))
    expect(found.proposals.map(({ kind, folder, because, tests }) => ({ kind, folder, because, tests }))).toEqual([
      { kind: 'npm', folder: '', because: ['package.json', 'package-lock.json'], tests: 'npm test' },
      { kind: 'go', folder: 'api', because: ['go.mod'], tests: '' },
      { kind: 'dockerfile', folder: 'api', because: ['Dockerfile'], tests: '' },
      { kind: 'plain', folder: '', because: [], tests: '' },
    ])
    const [npm, go] = found.proposals
    expect(npm?.definition.stages[0]?.steps.map(({ name, type }) => [name, type])).toEqual([
      ['Check out', 'checkout'],
      ['Install', 'script'],
      ['Test', 'script'],
      ['Test report', 'report'],
    ])
    expect(go?.definition.stages[0]?.steps[1]).toMatchObject({ run: 'set -eu\ncd api\ngo build ./...\n' })
  })

  test('names steps in the caller’s language', async () => {
    const { leader, id } = await app.team()
    const answer = await leader.raw({
      method: 'POST',
      url: `/api/tenants/${id}/repositories/look`,
      headers: { 'accept-language': 'zh-CN', 'content-type': 'application/json' },
      payload: Buffer.from(JSON.stringify({ repository: { url: smart } })),
    })
    expect(answer.body).toContain('检出代码')
  })

  test('asks for credentials, tries the given ones, and says why they fail', async () => {
    const team = await app.team()
    const { url } = withPassword
    await expect(look(team, { url })).rejects.toMatchObject({ status: 400, key: 'git-password-needed' })
    await expect(look(team, { ...withPassword, password: 'wrong' })).rejects.toMatchObject({
      status: 400,
      key: 'git-wrong-password',
    })
    expect((await look(team, withPassword)).proposals[0]).toMatchObject({ kind: 'npm' })
  })

  test.for<[string, object, object]>([
    ['a branch that is not there', { branch: 'none' }, { key: 'pipelines-branch-unknown', status: 400 }],
    ['a repository that is not there', { url: `${host.url}/smart/none.git` }, { key: 'git-not-found' }],
    ['a mask, which stands for nothing here', { password: mask }, { status: 404 }],
    ['a credential of nobody', { credentialId: 999_999 }, { status: 404 }],
  ])('refuses %s', async ([, repository, refusal]) => {
    await expect(look(await app.team(), repository)).rejects.toMatchObject(refusal)
  })

  test('refuses a repository without a commit, and says what to do', async () => {
    const { git } = await host.add('empty')
    await git('update-server-info')
    await expect(look(await app.team(), { url: `${host.url}/smart/empty.git` })).rejects.toMatchObject({
      status: 400,
      key: 'git-empty',
    })
  })

  test('needs the permission to create pipelines', async () => {
    const team = await app.team()
    const viewer = await team.member(['pipeline_pipeline_view'])
    await expect(lookBy(viewer, team, {})).rejects.toMatchObject({ status: 403 })
    await expect(lookBy((await app.team()).leader, team, {})).rejects.toMatchObject({ status: 403 })
  })

  test('runs scripts in the best matching build image if an agent has containers', async () => {
    const team = await app.team()
    const image = (name: string, image: string) =>
      app.admin.call(buildImages.create, { body: { name, image, teamId: team.id } })
    await image('Go of old', 'golang:1.19')
    const golang = await image('Go', 'registry.example.test:5000/library/golang:1.22-alpine')
    const go = async () => (await look(team)).proposals.find(({ kind }) => kind === 'go')
    expect(await go()).toMatchObject({ buildImage: '', definition: { stages: [{ jobs: [] }] } })
    const agent = await testAgent(app)
    await app.db
      .updateTable('agent')
      .set({ team_id: team.id, os_type: 'linux', executors: ['container'] })
      .where('id', '=', agent.id)
      .execute()
    expect(await go()).toMatchObject({
      buildImage: 'Go',
      definition: { stages: [{ jobs: [{ image: golang.id, executor: 'container' }] }] },
    })
  })

  test('proposes an image for the team’s own registry, and says so if there is none', async () => {
    const team = await app.team()
    const ofDockerfile = async () => (await look(team)).proposals.filter(({ folder }) => folder === 'api')
    expect(await ofDockerfile()).toMatchObject([
      { kind: 'go', lacksRegistry: true },
      { kind: 'dockerfile', lacksRegistry: true },
    ])
    const { id: registryId } = await app.db
      .insertInto('registry')
      .values({ team_id: team.id, name: 'ours', url: 'https://registry.example.test', username: '' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const image = { type: 'image', method: 'dockerfile', registryId, repository: 'shop', context: 'api' }
    expect(await ofDockerfile()).toMatchObject([
      { lacksRegistry: false, definition: { stages: [{}, { steps: [image] }] } },
      { lacksRegistry: false, definition: { stages: [{ steps: [{ type: 'checkout' }, image] }] } },
    ])
  })
})

describe('a pipeline without a group', () => {
  const groupsOf = async ({ leader, id: teamId }: Team) =>
    (await leader.call(groups.list, { params: { teamId } })).items.map(({ id, name }) => ({ id, name }))

  test('gets a new one, which the next pipeline uses too', async () => {
    const team = await app.team()
    const first = await create(team)
    expect(await groupsOf(team)).toEqual([{ id: first.appId, name: 'Pipelines' }])
    expect((await create(team)).appId).toBe(first.appId)
  })

  test('is refused at the field if the team has several', async () => {
    const team = await app.team()
    const [one] = await Promise.all(
      ['a', 'b'].map((name) => team.leader.call(groups.create, { params: { teamId: team.id }, body: { name } })),
    )
    await expect(create(team)).rejects.toMatchObject({
      status: 400,
      key: 'pipelines-group-choose',
      problems: [{ path: 'appId' }],
    })
    expect((await create(team, { appId: one?.id })).appId).toBe(one?.id)
  })

  test('is refused without the permission to create one, and in a group of another team', async () => {
    const team = await app.team()
    const member = await team.member(['pipeline_pipeline_create', 'pipeline_pipeline_view'])
    await expect(createBy(member, team)).rejects.toMatchObject({ status: 403 })
    const theirs = await create(await app.team())
    await expect(create(team, { appId: theirs.appId })).rejects.toMatchObject({ status: 404 })
    expect(await groupsOf(team)).toEqual([])
  })
})

describe('credentials to keep', () => {
  const repository = { ...withPassword, branch: 'main' }
  const listed = async ({ leader, id: teamId }: Team) =>
    (await leader.call(credentials.list, { params: { teamId } })).items

  test('become a credential of the team, named after the host, in place of the repository’s own', async () => {
    const team = await app.team()
    const pipeline = await create(team, { repository, keepCredential: true })
    const [kept] = await listed(team)
    const name = new URL(host.url).host
    expect(kept).toMatchObject({ name, host: name, kind: 'password', username: 'robin', secret: mask, pipelineNum: 1 })
    expect(pipeline.repository).toMatchObject({ credentialId: kept?.id, username: '', password: '' })
    await create(team, { repository, keepCredential: true })
    expect((await listed(team)).map((one) => one.name)).toEqual([name, `${name}-2`])
    // the stored credential reaches the repository
    expect((await look(team, { url: repository.url, credentialId: kept?.id })).branch).toBe('main')
  })

  test('are not stored if the repository cannot be reached, nor is a group or a pipeline', async () => {
    const team = await app.team()
    const wrong = { ...repository, password: 'wrong' }
    await expect(create(team, { repository: wrong, keepCredential: true })).rejects.toMatchObject({
      key: 'git-wrong-password',
    })
    expect(await listed(team)).toEqual([])
    expect((await team.leader.call(groups.list, { params: { teamId: team.id } })).items).toEqual([])
  })

  test('need the permission to store credentials; a refusal stores nothing', async () => {
    const team = await app.team()
    const member = await team.member(['pipeline_pipeline_create', 'pipeline_group_create'])
    await expect(createBy(member, team, { repository, keepCredential: true })).rejects.toMatchObject({ status: 403 })
    const { items } = await team.leader.call(pipelines.list, { params: { teamId: team.id } })
    expect(items).toEqual([])
    expect((await createBy(member, team, { repository })).repository).toMatchObject({ password: mask })
  })
})
