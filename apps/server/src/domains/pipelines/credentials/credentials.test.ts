import { credentials } from '@gantry/contract/pipelines/credentials'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { mask } from '@gantry/contract/validators'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Git } from '../../../adapters/git/git.ts'
import type { Repository } from '../../../adapters/git/source.ts'
import { testApp } from '../../../../test/test-app.ts'

const checked: Repository[] = []
const git = {
  async check(repository) {
    checked.push(repository)
    return { branches: [{ name: 'main', commit: 'a'.repeat(40) }], tags: [], head: 'main' }
  },
} as Partial<Git> as Git
const app = await testApp({ ports: { git } })
let [team, other] = [await app.team(), await app.team()]
let appId = 0
let made = 0

const privateKey = '-----BEGIN OPENSSH PRIVATE KEY-----\ncanary-key\n-----END OPENSSH PRIVATE KEY-----'
const token = { kind: 'token' as const, host: 'git.example.test', username: 'bot', secret: 'canary-token' }
const store = (given: object = {}) =>
  team.leader.call(credentials.create, {
    params: { teamId: team.id },
    body: { name: `credential ${++made}`, ...token, ...given },
  })
const url = 'https://git.example.test/shop.git'
const create = (repository: { url?: string; credentialId: number; knownHosts?: string }) =>
  team.leader.call(definitions.create, {
    body: { appId, projectName: `pipeline ${++made}`, repository: { url, branch: 'main', ...repository } },
  })

beforeAll(async () => {
  ;[team, other] = [await app.team(), await app.team()]
  appId = (await team.leader.call(groups.create, { params: { teamId: team.id }, body: { name: 'shop' } })).id
})

describe('a credential of a team', () => {
  test('is sealed, masked, and sent in place of a repository’s own password', async () => {
    const { id, secret } = await store()
    expect(secret).toBe(mask)
    const row = await app.db.selectFrom('pipeline_credential').selectAll().where('id', '=', id).executeTakeFirst()
    expect(JSON.stringify(row)).not.toContain('canary')
    const { repository } = await create({ credentialId: id })
    expect(repository).toMatchObject({ credentialId: id, password: '' })
    expect(checked.at(-1)).toEqual({ kind: 'remote', url, username: 'bot', password: 'canary-token' })
    const list = await team.leader.call(credentials.list, { params: { teamId: team.id }, query: { pageSize: -1 } })
    expect(list.items.find((one) => one.id === id)).toMatchObject({ secret: mask, pipelineNum: 1 })
  })

  test('can be a private key for an SSH address', async () => {
    const { id } = await store({ kind: 'ssh', username: '', secret: privateKey })
    const ssh = { url: 'git@git.example.test:shop.git', knownHosts: 'git.example.test ssh-ed25519 AAAA' }
    await create({ ...ssh, credentialId: id })
    expect(checked.at(-1)).toMatchObject({ kind: 'ssh', privateKey })
    await expect(create({ credentialId: id })).rejects.toMatchObject({ key: 'credential-wrong-kind-ssh' })
  })

  test('is sent only to its own host, whatever the repository says', async () => {
    const { id } = await store()
    const elsewhere = 'https://evil.example.test/shop.git'
    checked.length = 0
    await expect(create({ url: elsewhere, credentialId: id })).rejects.toMatchObject({ key: 'credential-other-host' })
    const body = { repository: { url: elsewhere, credentialId: id } }
    await expect(
      team.leader.call(pipelines.checkRepository, { params: { teamId: team.id }, body }),
    ).rejects.toMatchObject({ key: 'credential-other-host' })
    expect(checked).toEqual([])
  })

  test('cannot be deleted or moved to another host while in use, and the refusal names the pipelines', async () => {
    const { id, name } = await store()
    const params = { teamId: team.id, credentialId: id }
    const { projectName, id: pipelineId } = await create({ credentialId: id })
    const refused = { status: 409, key: 'credential-in-use', message: expect.stringContaining(projectName) }
    await expect(team.leader.call(credentials.remove, { params })).rejects.toMatchObject(refused)
    const moved = { name, ...token, host: 'other.example.test' }
    await expect(team.leader.call(credentials.update, { params, body: moved })).rejects.toMatchObject(refused)
    await team.leader.call(pipelines.remove, { params: { appId, pipelineId }, query: { confirm: projectName } })
    await team.leader.call(credentials.remove, { params })
    await expect(team.leader.call(credentials.get, { params })).rejects.toMatchObject({ status: 404 })
  })

  test('keeps its secret if the mask is sent with the same host and kind, and a new secret is used by the next build', async () => {
    const { id, name, revision } = await store()
    const params = { teamId: team.id, credentialId: id }
    const change = (body: object, query = {}) =>
      team.leader.call(credentials.update, { params, query, body: { name, ...token, ...body } })
    await change({ secret: mask, description: 'ours' }, { revision })
    await create({ credentialId: id })
    expect(checked.at(-1)).toMatchObject({ password: 'canary-token' })
    await expect(change({}, { revision })).rejects.toMatchObject({ status: 409, key: 'credential-changed' })
    await change({ secret: 'another' })
    await create({ credentialId: id })
    expect(checked.at(-1)).toMatchObject({ password: 'another' })
    const unused = await store()
    const body = { name: unused.name, ...token, host: 'evil.example.test', secret: mask }
    await expect(
      team.leader.call(credentials.update, { params: { teamId: team.id, credentialId: unused.id }, body }),
    ).rejects.toMatchObject({ key: 'credential-secret-required' })
  })

  test('of another team is 404, to read and to use', async () => {
    const theirs = await other.leader.call(credentials.create, {
      params: { teamId: other.id },
      body: { name: 'theirs', ...token },
    })
    const params = { teamId: team.id, credentialId: theirs.id }
    await expect(team.leader.call(credentials.get, { params })).rejects.toMatchObject({ status: 404 })
    await expect(create({ credentialId: theirs.id })).rejects.toMatchObject({ status: 404 })
  })

  test('is not kept if its pipeline is cloned into another team', async () => {
    const { id } = await store()
    const source = await create({ credentialId: id })
    const group = await other.leader.call(groups.create, { params: { teamId: other.id }, body: { name: 'away' } })
    const clone = (projectName: string, into: object) =>
      app.admin.call(pipelines.clone, { params: { uuid: source.uuid }, body: { projectName, ...into } })
    expect((await clone('here', {})).repository).toMatchObject({ credentialId: id })
    expect((await clone('there', { appId: group.id })).repository).toMatchObject({ credentialId: null })
  })

  test.each([
    ['an invalid host', { host: 'https://x' }],
    ['an invalid key', { kind: 'ssh' }],
    ['a password of two lines', { kind: 'password', secret: 'a\nb' }],
    ['no secret', { secret: '' }],
  ])('is refused with %s', async (_, wrong) => {
    await expect(store(wrong)).rejects.toMatchObject({ status: 400 })
  })
})
