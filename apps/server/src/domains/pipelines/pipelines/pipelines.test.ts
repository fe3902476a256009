import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { mask } from '@gantry/contract/validators'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Git } from '../../../adapters/git/git.ts'
import type { Repository } from '../../../adapters/git/source.ts'
import { Fault } from '../../../kernel/fault.ts'
import { testApp } from '../../../../test/test-app.ts'

const checked: Repository[] = []
let whileReached = async (): Promise<unknown> => undefined

/** A git host with one branch, whose password is `right`. */
const git = {
  async check(repository) {
    checked.push(repository)
    await whileReached()
    if (repository.kind === 'remote' && repository.password !== 'right')
      throw new Fault('invalid', 'git-wrong-password')
    const hostKey =
      repository.kind === 'ssh'
        ? { type: 'ssh-ed25519', fingerprint: 'SHA256:x', knownHosts: 'git.example.test ssh-ed25519 AAAA' }
        : undefined
    return { branches: [{ name: 'main', commit: 'a'.repeat(40) }], tags: [], head: 'main', hostKey }
  },
} as Partial<Git> as Git

const app = await testApp({ ports: { git } })
let team: Awaited<ReturnType<typeof app.team>>
let groupId = 0

beforeAll(async () => {
  team = await app.team()
  groupId = (await team.leader.call(groups.create, { params: { teamId: team.id }, body: { name: 'shop' } })).id
})

const repository = { url: 'https://git.example.test/shop.git', branch: 'main', username: 'bot', password: 'right' }
let made = 0
const create = (more: object = {}) =>
  team.leader.call(definitions.create, { body: { appId: groupId, projectName: `pipeline ${++made}`, ...more } })

describe('a matrix of ten axes with a hundred values each', () => {
  const values = Array.from({ length: 100 }, (_, at) => String(at))
  const axes = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`A${at}`, values]))
  const job = { name: 'all', matrix: { axes }, steps: [{ type: 'script' as const, name: 'run', run: 'true' }] }
  const definition = { stages: [{ name: 'build', jobs: [job] }] }

  test('is refused by the limit of a matrix before it is expanded', async () => {
    await expect(create({ definition })).rejects.toMatchObject({ status: 400, key: 'matrix-too-large' })
  })

  test('is not even validated if a user of another team sends it', async () => {
    const { leader } = await app.team()
    const body = { appId: groupId, projectName: 'theirs', definition }
    await expect(leader.call(definitions.create, { body })).rejects.toMatchObject({
      status: 404,
      key: 'resource-missing',
    })
  })
})

test('a repository is checked before it is saved, and nothing is stored of a refused one', async () => {
  await expect(
    create({ projectName: 'refused', repository: { ...repository, password: 'wrong' } }),
  ).rejects.toMatchObject({
    status: 400,
    key: 'git-wrong-password',
  })
  await expect(create({ projectName: 'refused', repository: { ...repository, branch: 'gone' } })).rejects.toMatchObject(
    {
      status: 400,
      key: 'pipelines-branch-unknown',
    },
  )
  const list = await team.leader.call(pipelines.list, { params: { teamId: team.id }, query: { keyword: 'refused' } })
  expect(list.totalSize).toBe(0)
})

test('a pipeline whose group is deleted during the check of its repository is refused with the reason', async () => {
  const { id: appId } = await team.leader.call(groups.create, { params: { teamId: team.id }, body: { name: 'going' } })
  whileReached = () => team.leader.call(groups.remove, { params: { id: appId } })
  await expect(create({ appId, repository })).rejects.toMatchObject({ status: 409, key: 'related-meanwhile' })
  whileReached = async () => undefined
})

test('a password is masked in answers, and the mask keeps it only if the host stays the same', async () => {
  const pipeline = await create({ repository })
  expect(pipeline.repository).toMatchObject({ ...repository, password: mask })
  const params = { appId: groupId, pipelineId: pipeline.id }
  const setting = await team.leader.call(pipelines.setting, { params })
  expect(setting.repository?.password).toBe(mask)

  checked.length = 0
  const renamed = { ...setting, repository: { ...repository, password: mask, username: 'other' } }
  await team.leader.call(pipelines.setSetting, { params, body: renamed })
  expect(checked).toEqual([{ kind: 'remote', url: repository.url, username: 'other', password: 'right' }])

  const moved = { ...setting, repository: { ...repository, url: 'https://evil.example.test/shop.git', password: mask } }
  await expect(team.leader.call(pipelines.setSetting, { params, body: moved })).rejects.toMatchObject({ status: 400 })
  expect(checked.at(-1)).toMatchObject({ url: moved.repository.url, password: '' })
})

test('the connection check sends a stored password only to the stored host', async () => {
  const pipeline = await create({ repository })
  const check = (url: string) =>
    team.leader.call(pipelines.checkRepository, {
      params: { teamId: team.id },
      body: { repository: { url, username: 'bot', password: mask }, pipelineId: pipeline.id },
    })
  await expect(check(repository.url)).resolves.toEqual({
    branches: ['main'],
    defaultBranch: 'main',
    commit: 'a'.repeat(40),
    hostKey: null,
  })
  await expect(check('https://evil.example.test/x.git')).rejects.toMatchObject({ key: 'git-wrong-password' })
  expect(checked.at(-1)).toMatchObject({ password: '' })
})

describe('a repository over SSH', () => {
  const privateKey = '-----BEGIN OPENSSH PRIVATE KEY-----\ncanary-key\n-----END OPENSSH PRIVATE KEY-----'
  const knownHosts = 'git.example.test ssh-ed25519 AAAA'
  const ssh = { url: 'git@git.example.test:shop.git', branch: 'main', privateKey, knownHosts }

  test('has a sealed and masked key, which the mask keeps only if the host stays the same', async () => {
    checked.length = 0
    const { id, repository } = await create({ repository: ssh })
    expect(repository).toMatchObject({ privateKey: mask, knownHosts })
    expect(checked).toEqual([{ kind: 'ssh', url: ssh.url, privateKey, knownHosts }])
    const row = await app.db.selectFrom('pipeline').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain('canary')

    const params = { appId: groupId, pipelineId: id }
    const setting = await team.leader.call(pipelines.setting, { params })
    const at = (url: string) => ({ ...setting, repository: { ...ssh, url, privateKey: mask } })
    const moved = 'ssh://git@git.example.test/team/shop.git'
    await team.leader.call(pipelines.setSetting, { params, body: at(moved) })
    expect(checked.at(-1)).toMatchObject({ url: moved, privateKey })
    const { revision } = await team.leader.call(pipelines.setting, { params })
    const elsewhere = { ...at('git@evil.example.test:shop.git'), revision }
    await team.leader.call(pipelines.setSetting, { params, body: elsewhere })
    expect(checked.at(-1)).toMatchObject({ privateKey: '' })
  })

  test('is not saved until its host key is pinned, and the check returns the key it met', async () => {
    await expect(create({ repository: { ...ssh, knownHosts: '' } })).rejects.toMatchObject({
      key: 'git-host-key-unknown',
    })
    const body = { repository: { url: ssh.url, privateKey } }
    const { hostKey } = await team.leader.call(pipelines.checkRepository, { params: { teamId: team.id }, body })
    expect(hostKey).toEqual({ type: 'ssh-ed25519', fingerprint: 'SHA256:x', knownHosts })
  })

  test.each([
    ['no key', { privateKey: 'hello' }],
    ['one with a passphrase', { privateKey: privateKey.replaceAll('OPENSSH', 'ENCRYPTED') }],
    ['known hosts that are none', { knownHosts: '* hello' }],
    ['an option as host', { url: 'ssh://-oProxyCommand=id/x' }],
  ])('is refused with %s', async (_, wrong) => {
    await expect(create({ repository: { ...ssh, ...wrong } })).rejects.toMatchObject({ status: 400 })
  })
})

test('secret variables are sealed in the database, masked in answers and kept by the mask', async () => {
  const variables = [
    { name: 'TOKEN', value: 'canary-secret-value', secret: true },
    { name: 'MODE', value: 'fast', secret: false },
  ]
  const pipeline = await create({ variables })
  const stored = await app.db
    .selectFrom('pipeline')
    .select('variables')
    .where('id', '=', pipeline.id)
    .executeTakeFirstOrThrow()
  expect(JSON.stringify(stored.variables)).not.toContain('canary')
  const params = { appId: groupId, pipelineId: pipeline.id }
  const setting = await team.leader.call(pipelines.setting, { params })
  expect(setting.variables).toEqual([
    { name: 'TOKEN', value: mask, secret: true },
    { name: 'MODE', value: 'fast', secret: false },
  ])
  await team.leader.call(pipelines.setSetting, { params, body: setting })
  const after = await app.db
    .selectFrom('pipeline')
    .select('variables')
    .where('id', '=', pipeline.id)
    .executeTakeFirstOrThrow()
  expect(after.variables).toEqual(stored.variables)
})

test('secret variables of a pipeline or a group are limited to 64 kB in total, including masked ones', async () => {
  const long = (name: string) => ({ name, value: 'k'.repeat(30_000), secret: true })
  const refused = { status: 400, key: 'pipelines-secrets-too-long' }
  await expect(create({ variables: [long('A'), long('B'), long('C')] })).rejects.toMatchObject(refused)
  const pipeline = await create({ variables: [long('A'), long('B'), { ...long('C'), secret: false }] })
  const params = { appId: groupId, pipelineId: pipeline.id }
  const setting = await team.leader.call(pipelines.setting, { params })
  const more = { ...setting, variables: [...setting.variables, long('D')] }
  await expect(team.leader.call(pipelines.setSetting, { params, body: more })).rejects.toMatchObject(refused)
  const variables = [long('A'), long('B'), long('C')]
  await expect(
    team.leader.call(groups.setVariables, { params: { id: groupId }, body: { variables } }),
  ).rejects.toMatchObject(refused)
})

test('if a secret can no longer be opened, the rest can be saved and the secret replaced', async () => {
  const lost = { name: 'LOST', value: 'of a key that is gone', secret: true }
  const pipeline = await create({ variables: [lost] })
  const stored = JSON.stringify([{ ...lost, value: 'v1.AAAA.AAAA' }])
  await sql`update pipeline set variables = ${stored}::jsonb where id = ${pipeline.id}`.execute(app.db)
  const params = { appId: groupId, pipelineId: pipeline.id }
  const setting = await team.leader.call(pipelines.setting, { params })
  const renamed = await team.leader.call(pipelines.setSetting, { params, body: { ...setting, description: 'more' } })
  expect(renamed).toMatchObject({ description: 'more', variables: [{ name: 'LOST', value: mask }] })
  await team.leader.call(pipelines.setSetting, { params, body: { ...renamed, variables: [lost] } })
})

test('saving settings or variables on an old revision is refused, and no colleague’s secret is lost', async () => {
  const secret = (name: string) => ({ name, value: `of ${name}`, secret: true })
  const params = { appId: groupId, pipelineId: (await create()).id }
  const opened = await team.leader.call(pipelines.setting, { params })
  const theirs = await team.leader.call(pipelines.setSetting, { params, body: { ...opened, variables: [secret('A')] } })
  const late = { ...opened, variables: [secret('B')] }
  await expect(team.leader.call(pipelines.setSetting, { params, body: late })).rejects.toMatchObject({
    status: 409,
    key: 'pipelines-changed-since',
  })
  expect(await team.leader.call(pipelines.setting, { params })).toEqual(theirs)
  await team.leader.call(pipelines.setSetting, { params, body: { ...theirs, variables: [secret('A'), secret('B')] } })

  const of = { params: { id: groupId } }
  const { revision } = await team.leader.call(groups.variables, of)
  const both = await Promise.allSettled(
    ['A', 'B'].map((name) =>
      team.leader.call(groups.setVariables, { ...of, body: { variables: [secret(name)], revision } }),
    ),
  )
  const [kept] = both.filter((one) => one.status === 'fulfilled')
  const [refused] = both.filter((one) => one.status === 'rejected')
  expect(refused?.reason).toMatchObject({ status: 409, key: 'pipelines-group-variables-changed' })
  expect(await team.leader.call(groups.variables, of)).toEqual(kept?.value)
})

test('saving stages on an old revision is refused, and nothing is lost', async () => {
  const pipeline = await create()
  const params = { appId: groupId, pipelineId: pipeline.id }
  const stages = [{ name: 'one', steps: [{ type: 'script' as const, name: 'hello', run: 'true' }] }]
  const { revision } = await team.leader.call(definitions.get, { params })
  await team.leader.call(definitions.set, { params, body: { stages, revision } })
  await expect(team.leader.call(definitions.set, { params, body: { stages: [], revision } })).rejects.toMatchObject({
    status: 409,
    key: 'pipelines-changed-since',
  })
  expect((await team.leader.call(definitions.get, { params })).stages).toHaveLength(1)
})

test('a step that creates a service may contain no secret, because all who may view the pipeline see its steps', async () => {
  const environment = [{ name: 'TOKEN', value: 'open sesame', secret: true }]
  const deploy = { type: 'deploy' as const, name: 'ship', stackUuid: crypto.randomUUID(), service: 'web' }
  const refused = { status: 400, key: 'pipelines-definition-secret' }
  const pipeline = await create()
  const params = { appId: groupId, pipelineId: pipeline.id }
  for (const secret of [
    { environment },
    { containers: [{ name: 'beside', role: 'side' as const, image: 'busybox', environment }] },
    { files: [{ path: '/etc/token', content: 'open sesame', secret: true }] },
  ]) {
    const stages = [{ name: 'only', steps: [{ ...deploy, create: secret }] }]
    const body = { appId: groupId, projectName: 'with a secret', definition: { stages } }
    await expect(team.leader.call(definitions.create, { body })).rejects.toMatchObject(refused)
    await expect(team.leader.call(definitions.set, { params, body: { stages } })).rejects.toMatchObject(refused)
  }
  const { rows } = await app.database.pool.query('select * from audit_log')
  expect(JSON.stringify(rows)).not.toContain('open sesame')
})

test.for([
  [
    'a stage twice',
    [
      { name: 'a', steps: [] },
      { name: 'a', steps: [] },
    ],
  ],
  ['a stage without steps', [{ name: 'a', steps: [] }]],
  ['a step twice', [{ name: 'a', steps: ['x', 'x'].map((name) => ({ type: 'script', name, run: 'true' })) }]],
  ['a path upwards', [{ name: 'a', steps: [{ type: 'artifact', name: 'x', files: '../secret' }] }]],
])('%s is refused with 400', async ([, stages]) => {
  const pipeline = await create()
  const answer = await team.leader.request(definitions.set, {
    params: { appId: groupId, pipelineId: pipeline.id },
    body: { stages } as never,
  })
  expect(answer.statusCode).toBe(400)
})

test('another team’s pipeline and an unknown one give the same 404', async () => {
  const pipeline = await create()
  const stranger = (await app.team()).leader
  const foreign = await stranger.request(pipelines.get, { params: { id: pipeline.id } })
  const missing = await stranger.request(pipelines.get, { params: { id: 2_000_000_000 } })
  expect(foreign.statusCode).toBe(404)
  const { errorMsg, message, code } = foreign.json<Record<string, unknown>>()
  expect({ errorMsg, message, code }).toEqual({
    errorMsg: missing.json<Record<string, unknown>>()['errorMsg'],
    message: 'resource-missing',
    code: 404,
  })
})

test('a parameter cannot have a name that is illegal as a key of a request body; a variable can', async () => {
  const pipeline = await create()
  const params = { appId: pipeline.appId, pipelineId: pipeline.id }
  const { revision: _, ...setting } = await team.leader.call(pipelines.setting, { params })
  for (const name of ['__proto__', 'constructor', 'prototype'])
    await expect(
      team.leader.call(pipelines.setSetting, { params, body: { ...setting, parameters: [{ name }] } }),
    ).rejects.toMatchObject({ status: 400, key: 'pipelines-parameter-illegal' })
  const variables = ['__proto__', 'constructor'].map((name) => ({ name, value: 'a value', secret: true }))
  const saved = await team.leader.call(pipelines.setSetting, { params, body: { ...setting, variables } })
  expect(saved.variables.map(({ name }) => name)).toEqual(['__proto__', 'constructor'])
})

test('a pipeline is 404 under the path of another group', async () => {
  const pipeline = await create()
  const other = await team.leader.call(groups.create, { params: { teamId: team.id }, body: { name: 'other' } })
  await expect(
    team.leader.call(pipelines.remove, {
      params: { appId: other.id, pipelineId: pipeline.id },
      query: { confirm: pipeline.projectName },
    }),
  ).rejects.toMatchObject({ status: 404 })
})

test('a group with pipelines cannot be deleted; names are unique within a team', async () => {
  await create()
  await expect(team.leader.call(groups.remove, { params: { id: groupId } })).rejects.toMatchObject({
    key: 'pipelines-group-in-use',
  })
  await expect(
    team.leader.call(groups.create, { params: { teamId: team.id }, body: { name: 'shop' } }),
  ).rejects.toMatchObject({ status: 409, key: 'pipelines-group-name-taken' })
  const second = await app.team()
  await expect(
    second.leader.call(groups.create, { params: { teamId: second.id }, body: { name: 'shop' } }),
  ).resolves.toMatchObject({ name: 'shop' })
})

test('a group of another team accepts no pipeline', async () => {
  const stranger = await app.team()
  await expect(
    stranger.leader.call(definitions.create, { body: { appId: groupId, projectName: 'intruder' } }),
  ).rejects.toMatchObject({ status: 404, key: 'resource-missing' })
})

test('the schema of a definition is public and describes stages', async () => {
  const { statusCode, headers, body } = await app.anonymous.request(definitions.schema)
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/schema+json'])
  const schema = JSON.parse(body) as { properties: { stages: { items: { properties: object; required: string[] } } } }
  expect(Object.keys(schema.properties.stages.items.properties)).toEqual(
    expect.arrayContaining(['name', 'mode', 'approval', 'when', 'steps', 'jobs', 'handsOn']),
  )
  expect(schema.properties.stages.items.required).toEqual(['name'])
})
