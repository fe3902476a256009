import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { registries } from '@gantry/contract/images/registries'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { createRegistry, type Registry } from '../../adapters/registry/registry.ts'
import { testPipeline } from '../../../test/build-agent.ts'
import { fakePorts } from '../../../test/fake-ports.ts'
import { testApp } from '../../../test/test-app.ts'
import { jsonb } from '../../db/json.ts'
import { say } from '../../kernel/phrase.ts'
import { seal } from '../../kernel/secrets/secrets.ts'
import { insertRegistry } from './registries.store.ts'

/** Repositories of the registry, which returns a thousand per page. */
let there: string[] = []
const port: Registry = {
  ...fakePorts().registry,
  verify: async () => undefined,
  repositories: async (_access, { after, limit = 100 } = {}) => {
    const from = after === undefined ? 0 : there.indexOf(after) + 1
    const names = there.slice(from, from + limit)
    return { names, next: from + limit < there.length ? (names.at(-1) ?? null) : null }
  },
}
const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const client = createRegistry(outbound, { pauses: [1, 1] })
const app = await testApp({ ports: { registry: { ...port, tags: client.tags } } })
/** Answers every call with an error. */
const failing = createServer((_, reply) => reply.writeHead(500).end())
beforeAll(() => new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve)))
afterAll(async () => {
  failing.closeAllConnections()
  failing.close()
  await outbound.close()
})

async function newRegistry(team: { id: number }) {
  const registry = { name: 'images', url: 'https://registry.example.test', username: '', password: null }
  return (await insertRegistry(app.db, { ...registry, teamId: team.id, sandbox: false })) ?? 0
}

test('a registry with an image that a service runs, or could roll back to, cannot be removed', async () => {
  const team = await app.team()
  const registryId = await newRegistry(team)
  const address = seal(
    app.ctx(),
    JSON.stringify({ server: 'https://127.0.0.1:1', auth: { kind: 'token', token: 'x' } }),
  )
  const { uuid: environment } = await app.db
    .insertInto('environment')
    .values({ name: 'away', server: 'https://127.0.0.1:1', address })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  const stack = await app.db
    .insertInto('stack')
    .values({ team_id: team.id, environment, name: 'shop', namespace: 'shop', actor: 'x', state: 'running' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const from = (registryId: number | null) => jsonb({ image: 'registry.example.test/web:1', registryId })
  const service = { stack_id: stack.id, state: 'upgraded', actor: 'x' } as const
  await app.db
    .insertInto('service')
    .values([
      { ...service, name: 'back', spec: from(null), previous_spec: from(registryId) },
      { ...service, name: 'web', spec: from(registryId) },
      { ...service, name: 'other', spec: from(null) },
    ])
    .execute()
  const remove = () => team.leader.call(registries.remove, { params: { teamId: team.id, registryId } })
  const refused = { status: 409, key: 'images-registry-in-use-services' }
  await expect(remove()).rejects.toMatchObject(refused)
  await expect(remove()).rejects.toThrow('shop/back, shop/web.')
  await app.db.deleteFrom('service').where('stack_id', '=', stack.id).execute()
  await remove()
})

test('another team’s registry or group does not exist in any call', async () => {
  const [team, other] = [await app.team(), await app.team()]
  const { appId } = await testPipeline(app, other)
  const create = (appId: number) => team.leader.call(definitions.create, { body: { appId, projectName: 'p' } })
  const verify = (id: number) =>
    team.leader.call(registries.verify, { body: { id, url: 'https://registry.example.test' } })
  const theirs = await newRegistry(other)
  const none = 2_000_000_000
  for (const ask of [() => create(appId), () => create(none), () => verify(theirs), () => verify(none)])
    await expect(ask()).rejects.toMatchObject({ status: 404, key: 'resource-missing' })
})

test('more than a thousand repositories are listed and searched, and a truncated answer says so', async () => {
  const team = await app.team()
  const params = { teamId: team.id, registryId: await newRegistry(team) }
  const list = (keyword = '') => team.leader.call(registries.repositories, { params, query: { keyword } })
  there = Array.from({ length: 1500 }, (_, at) => `team/app-${at}`)
  expect(await list('app-1499')).toMatchObject({ items: [{ name: 'team/app-1499' }], totalSize: 1 })
  expect(await list()).toMatchObject({ totalSize: 1500 })
  expect(await list()).not.toHaveProperty('truncated')
  there = Array.from({ length: 11_500 }, (_, at) => `team/app-${at}`)
  expect(await list('app-11499')).toMatchObject({ items: [], truncated: true })
})

test('a registry that keeps failing is reported with the number of attempts and the cause, in both languages', async () => {
  const team = await app.team()
  const url = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`
  const registryId =
    (await insertRegistry(app.db, {
      name: 'failing',
      url,
      username: '',
      password: null,
      teamId: team.id,
      sandbox: false,
    })) ?? 0
  const params = { teamId: team.id, registryId }
  const { host } = new URL(url)
  for (const lang of ['en', 'zh'] as const) {
    const cause = say(lang, 'registry-error', { host, status: 500 })
    await expect(
      team.leader.call(registries.tags, { params, query: { repo: 'web' } }, { 'accept-language': lang }),
    ).rejects.toMatchObject({
      status: 502,
      key: 'retry-exceeded',
      message: say(lang, 'retry-exceeded', { host, tries: 3, cause }),
    })
  }
})
