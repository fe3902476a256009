import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { protocolHeader, protocolVersion } from '@gantry/agent-protocol/protocol'
import { agents } from '@gantry/contract/agents/agents'
import { protocol } from '@gantry/contract/agents/protocol'
import { audit } from '@gantry/contract/audit/audit'
import { sql } from 'kysely'
import { parseAllDocuments } from 'yaml'
import { describe, expect, test } from 'vitest'
import { testAgent } from '../../../test/build-agent.ts'
import { testApp } from '../../../test/test-app.ts'
import { testFolder } from '../../../test/test-folder.ts'

const app = await testApp()

let added = 0
const add = (more: { teamId?: number; labels?: string[]; osType?: 'linux' | 'windows' } = {}) =>
  app.admin.call(agents.create, { body: { name: `new-${++added}`, capacity: 3, ...more } })
const get = (id: number) => app.admin.call(agents.get, { params: { id } })

const credential = () => `ga_${randomBytes(32).toString('base64url')}`
const exchange = (token: string, own: string, version = protocolVersion) =>
  app.anonymous.call(protocol.register, { body: { token, credential: own } }, { [protocolHeader]: version })

const self = { version: '1', osType: 'linux' as const, executors: ['process' as const], isolated: true, holding: [] }
const claim = (id: number, own: string) =>
  app
    .caller({ kind: 'agent', id, name: '', admin: false }, own)
    .call(protocol.claim, { body: { ...self, free: 0, wait: 0 } })

describe('a new agent', () => {
  test('exchanges its token for the credential that it made, and may repeat that call whenever the answer is lost', async () => {
    const { id, token, until } = await add()
    expect(await get(id)).toMatchObject({ state: 'never', tokenUntil: until })
    const own = credential()
    await expect(claim(id, own)).rejects.toMatchObject({ status: 401 })
    for (const _ of [1, 2]) expect(await exchange(token, own)).toEqual({ name: `new-${added}`, capacity: 3 })
    await claim(id, own)
    expect(await get(id)).toMatchObject({ state: 'online', tokenUntil: null, version: '1', update: null })
    // a second credential for the same token is refused
    await expect(exchange(token, credential())).rejects.toMatchObject({ status: 409, key: 'agents-token-used' })
    await claim(id, own)
  })

  test('is refused for an unknown, expired or malformed token, and for another protocol', async () => {
    const { id, token } = await add()
    await expect(exchange('gr_nothing', credential())).rejects.toMatchObject({
      status: 403,
      key: 'agents-token-unknown',
    })
    await expect(exchange(token, credential(), '1.0')).rejects.toMatchObject({ key: 'agents-protocol' })
    await expect(exchange(token, 'ga_short')).rejects.toMatchObject({ status: 400 })
    await expect(claim(id, token)).rejects.toMatchObject({ status: 401 })
    await app.db
      .updateTable('agent')
      .set({ registration_until: sql`now()` })
      .where('id', '=', id)
      .execute()
    await expect(exchange(token, credential())).rejects.toMatchObject({ status: 403, key: 'agents-token-over' })
  })

  test('loses access at once when its credential is renewed, until it registers with the new token', async () => {
    const { id, token } = await add()
    const own = credential()
    await exchange(token, own)
    const again = await app.admin.call(agents.renew, { params: { id } })
    await expect(claim(id, own)).rejects.toMatchObject({ status: 401 })
    await expect(exchange(token, own)).rejects.toMatchObject({ status: 403, key: 'agents-token-unknown' })
    await exchange(again.token, own)
    await claim(id, own)
  })

  test('leaves neither token nor credential in the database or the audit log', async () => {
    const { token } = await add()
    const own = credential()
    await exchange(token, own)
    await expect(exchange(token, credential())).rejects.toMatchObject({ status: 409 })
    const { items } = await app.admin.call(audit.search, { query: { apiValue: 'agent.register', pageSize: 5 } })
    const rows = await Promise.all(items.map(({ id }) => app.admin.call(audit.get, { params: { id } })))
    const stored = await app.db.selectFrom('agent').selectAll().execute()
    const all = JSON.stringify([rows, stored.map((row) => Object.values(row).map(String))])
    for (const secret of [token, own]) expect(all).not.toContain(secret)
    expect(rows[0]).toMatchObject({ object: `new-${added}` })
  })

  test('needs a unique name, an existing team, and labels and slots within their limits', async () => {
    const body = { name: 'twice', labels: ['gpu'], capacity: 1, osType: 'linux' as const }
    await app.admin.call(agents.create, { body })
    const create = (more: object) => app.admin.call(agents.create, { body: { ...body, name: 'other', ...more } })
    await expect(create({ name: 'twice' })).rejects.toMatchObject({ status: 409, key: 'agents-name-taken' })
    await expect(create({ teamId: 999_999 })).rejects.toMatchObject({ status: 400, key: 'agents-team-missing' })
    for (const wrong of [{ labels: ['a b'] }, { capacity: 0 }, { capacity: 101 }, { name: 'a b' }, { osType: 'beos' }])
      await expect(create(wrong)).rejects.toMatchObject({ status: 400 })
  })
})

describe('the commands to copy', () => {
  test("contain the token and the server's address, and each starts an agent completely", async () => {
    const { token, ways } = await add()
    const { file, container, kubernetes } = ways
    for (const way of [file, container, kubernetes]) {
      expect(way).toContain(token)
      expect(way).toContain('/api/agent/gantry-agent.mjs')
      expect(way).toContain('GANTRY_AGENT_CAPACITY')
    }
    const objects = parseAllDocuments(kubernetes ?? '').map((document) => document.toJS() as { kind: string })
    expect(objects.map(({ kind }) => kind)).toEqual([
      'Secret',
      'ServiceAccount',
      'Role',
      'RoleBinding',
      'NetworkPolicy',
      'StatefulSet',
    ])
    // the token is in the Secret alone
    expect(JSON.stringify(objects.slice(1))).not.toContain(token)
  })

  test('offer only PowerShell for Windows', async () => {
    const { ways } = await add({ osType: 'windows' })
    expect(ways).toMatchObject({ file: expect.stringContaining('$env:GANTRY_AGENT_TOKEN'), container: null })
  })
})

test("the agent's program is one file that anybody may download, and a missing file is reported", async () => {
  const program = join(testFolder('agent-program'), 'agent.mjs')
  const other = await testApp({ config: { buildAgent: { program, image: 'node:24' } } })
  const ask = () => other.anonymous.raw({ method: 'GET', url: agents.program.path })
  expect((await ask()).json()).toMatchObject({ code: 503, message: 'agents-file-missing' })
  writeFileSync(program, '// the agent\n')
  const { body, headers } = await ask()
  expect([body, headers['content-type']]).toEqual(['// the agent\n', agents.program.stream])
})

test('the product’s own agent needs no token, and cannot be removed while it runs', async () => {
  const { id } = await testAgent(app)
  await app.db
    .updateTable('agent')
    .set({ embedded: true, last_seen_at: sql`now()` })
    .where('id', '=', id)
    .execute()
  await expect(app.admin.call(agents.renew, { params: { id } })).rejects.toMatchObject({ key: 'agents-renew-embedded' })
  await expect(app.admin.call(agents.remove, { params: { id } })).rejects.toMatchObject({
    key: 'agents-remove-embedded',
  })
  await app.db
    .updateTable('agent')
    .set({ last_seen_at: new Date(0) })
    .where('id', '=', id)
    .execute()
  await app.admin.call(agents.remove, { params: { id } })
  await expect(get(id)).rejects.toMatchObject({ status: 404 })
})
