import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { pushPath } from '@gantry/contract/push/path'
import { eventually } from '@gantry/waiting/eventually'
import { findSession, makeTicket, openSession } from '../src/identity/sessions.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { testApp, testDatabase } from './test-app.ts'

const data = mkdtempSync(join(tmpdir(), 'gantry-process-'))
afterAll(() => rmSync(data, { recursive: true, force: true }))

async function start(databaseUrl: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer(databaseUrl, { GANTRY_DATA: data, ...env })
  afterAll(() => server.end('SIGKILL'))
  return server
}

const ready = (server: ServerProcess) =>
  eventually(
    async () => {
      const { status } = await fetch(`http://127.0.0.1:${server.port}/readyz`)
      expect([status, server.err.join('')]).toEqual([200, ''])
    },
    undefined,
    { ms: 30_000 },
  )

test('SIGTERM tells websockets to come back, answers running calls, and ends the process with 0', async () => {
  const database = await testDatabase()
  afterAll(() => database.close())
  const server = await start(database.url)
  await ready(server)
  const ctx = (await testApp({ onlyDomains: [] })).ctx()
  const { id } = await database.db
    .selectFrom('account')
    .select('id')
    .where('user_name', '=', 'admin')
    .executeTakeFirstOrThrow()
  await database.db.updateTable('account').set({ newly_built: false }).where('id', '=', id).execute()
  const { token } = await openSession({ ...ctx, db: database.db }, { accountId: id })
  const caller = await findSession(database.db, token)
  if (!caller) throw new Error('no session')
  const ticket = await makeTicket(database.db, caller, 'GET', pushPath)
  const ws = new WebSocket(`ws://127.0.0.1:${server.port}${pushPath}?authorization=${ticket}`)
  await once(ws, 'open')
  const closed = once(ws, 'close').then(([code]) => code as number)

  // a call waits for a lock while the process is asked to end
  const holder = await database.pool.connect()
  await holder.query('begin; lock table account in access exclusive mode')
  const waiting = fetch(`http://127.0.0.1:${server.port}/api/permissions`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await eventually(async () => {
    const { rows } = await holder.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%\"session\"%'",
    )
    expect(rows.length).toBeGreaterThan(0)
  })
  server.end('SIGTERM')
  expect(await closed).toBe(1012)
  await expect(fetch(`http://127.0.0.1:${server.port}/livez`)).rejects.toThrow('fetch failed')
  await holder.query('commit')
  holder.release()
  expect((await waiting).status).toBe(200)
  expect(await server.ended).toBe(0)
  expect(server.err.join('')).toBe('')
}, 60_000)

const refusals: [what: string, begin: (url: string) => Promise<ServerProcess>, line: RegExp][] = [
  [
    'a busy port',
    async (url: string) => {
      const busy = createServer().listen(0, '127.0.0.1')
      await once(busy, 'listening')
      afterAll(() => busy.close())
      return start(url, { GANTRY_PORT: String((busy.address() as AddressInfo).port) })
    },
    /^GANTRY_PORT \d+ is in use on 127\.0\.0\.1/,
  ],
  ['a bad variable', (url: string) => start(url, { GANTRY_SANDBOX: 'maybe' }), /^GANTRY_SANDBOX must be on or off/],
  [
    'a database that does not answer',
    () => start('postgresql://x:y@127.0.0.1:1/x'),
    /^DATABASE_URL: the database does not answer/,
  ],
  [
    'a newer schema',
    (url: string) => start(url),
    /^The database was migrated by a newer release \(999901010000_future\)/,
  ],
  [
    'a second server whose folder is not shared',
    async (url: string) => {
      const first = await start(url)
      await ready(first)
      return start(url, { GANTRY_BLOBS: mkdtempSync(join(data, 'other-')) })
    },
    /^GANTRY_BLOBS: the folder \S+other-\S+ is not where the other servers of this database keep logs and artifacts: share one/,
  ],
]

test.for(refusals)('%s ends with one clear line and exit code 1', { timeout: 60_000 }, async ([what, begin, line]) => {
  const database = await testDatabase()
  afterAll(() => database.close())
  if (what === 'a newer schema')
    await database.pool.query("insert into migration (name, checksum) values ('999901010000_future', 'x')")
  const server = await begin(database.url)
  expect(await server.ended).toBe(1)
  expect(server.err.join('')).toMatch(line)
  expect(server.err.join('').trim().split('\n')).toHaveLength(1)
})

test('a second server on a shared folder starts beside the first', async () => {
  const database = await testDatabase()
  afterAll(() => database.close())
  for (const server of [await start(database.url), await start(database.url)]) {
    await ready(server)
    expect(server.err.join('')).toBe('')
  }
}, 60_000)
