import { expect, test } from 'vitest'
import { endSessions, findSession, makeTicket } from '../identity/sessions.ts'
import { samples, sampleCalls } from '../../test/samples.ts'
import { testApp, type TestCaller } from '../../test/test-app.ts'

const app = await testApp({ onlyDomains: [], more: sampleCalls })
const { path } = samples.download

async function ticketOf(user: TestCaller, method = 'GET', forPath: string = path): Promise<string> {
  const caller = await findSession(app.db, user.token ?? '')
  if (!caller) throw new Error('no session')
  return makeTicket(app.db, caller, method, forPath)
}
const open = (ticket: string, url: string = path) =>
  app.anonymous.raw({ method: 'GET', url: `${url}?authorization=${ticket}` })

test('a ticket opens one download, once', async () => {
  const ticket = await ticketOf(app.admin)
  expect((await open(ticket)).body).toBe('one\ntwo\n')
  expect((await open(ticket)).json()).toMatchObject({ code: 401, message: 'ticket-invalid' })
})

test('only one of twenty concurrent uses succeeds', async () => {
  const ticket = await ticketOf(app.admin)
  const answers = await Promise.all(Array.from({ length: 20 }, () => open(ticket)))
  expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1)
})

test('a ticket is valid only for its path and method, and is used up by a wrong attempt', async () => {
  const elsewhere = await ticketOf(app.admin, 'GET', samples.whoami.path)
  expect((await open(elsewhere)).statusCode).toBe(401)
  expect((await open(elsewhere, samples.whoami.path)).statusCode).toBe(401)
  expect((await open(await ticketOf(app.admin, 'POST'))).statusCode).toBe(401)
})

test('a ticket expires by the database’s clock', async () => {
  const ticket = await ticketOf(app.admin)
  await app.db
    .updateTable('ticket')
    .set({ expires_at: new Date(0) })
    .execute()
  expect((await open(ticket)).statusCode).toBe(401)
})

test('a ticket ends with its session', async () => {
  const user = await app.user()
  const ticket = await ticketOf(user)
  await endSessions(app.ctx(), user.id)
  expect((await open(ticket)).statusCode).toBe(401)
})

test('only the hash of a ticket is stored', async () => {
  const ticket = await ticketOf(app.admin)
  const stored = await app.db.selectFrom('ticket').select('token_hash').execute()
  expect(stored.map((row) => row.token_hash.toString('utf8'))).not.toContain(ticket)
})
