import { session } from '@gantry/contract/auth/session'
import { pushPath } from '@gantry/contract/push/path'
import { users } from '@gantry/contract/users/users'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { newBrowser } from '../../../../test/browser.ts'
import { givePassword, goodPassword } from '../../../../test/password.ts'
import { samples, sampleCalls } from '../../../../test/samples.ts'
import { socketClient } from '../../../../test/socket-client.ts'
import { testApp, type TestCaller } from '../../../../test/test-app.ts'
import type { Sockets } from '../../../http/sockets/sockets.ts'
import { hashToken, newToken } from '../../../identity/sessions.ts'
import { ban, countFailure, resetPassword, unban } from '../public.ts'

const terminalEnded: number[] = []
const sockets: Sockets = (socket) =>
  socket(
    {
      path: '/api/sample/teams/:teamId/terminal',
      access: { team: 'teamId', permission: 'sample_thing_create' },
      audit: 'thing.terminal',
      params: z.strictObject({ teamId: z.coerce.number() }),
    },
    (ctx) => ctx.signal.addEventListener('abort', () => terminalEnded.push(ctx.actor.id)),
  )

const app = await testApp({
  onlyDomains: ['auth', 'users', 'teams'],
  more: { ...sampleCalls, sockets },
})
const client = await socketClient(app)
const team = await app.team()
const thing = { params: { teamId: team.id }, body: { name: 'x' } }

/** An active user: a page with its websocket and a terminal, an unused ticket, an API token. */
async function atWork() {
  const one = await team.member(['sample_thing_create'])
  await givePassword(app, one.id)
  const browser = newBrowser()
  const reply = await browser.logIn(app, one.name)
  const { token } = session.login.data.parse(reply.json().data)
  const me = app.caller(one, token)
  const api = newToken('api')
  await app.db
    .insertInto('api_token')
    .values({
      team_id: team.id,
      account_id: one.id,
      alias: one.name,
      token_hash: hashToken(api),
      permissions: ['sample_thing_create'],
    })
    .execute()
  const byToken = app.caller({ kind: 'user', id: one.id, name: one.name, admin: false }, api)
  const path = `/api/sample/teams/${team.id}/terminal`
  return {
    me,
    byToken,
    browser,
    headers: browser.shown(),
    ticket: await client.ticket(me, path),
    path,
    pushed: await client.as(me, pushPath),
    terminal: await client.as(me, path),
  }
}
type Work = Awaited<ReturnType<typeof atWork>>
async function works(by: TestCaller): Promise<number> {
  const { statusCode } = await by.request(samples.inTeam, thing)
  // a busy server answers 503: try again later
  return statusCode === 503 ? works(by) : statusCode
}

const ctx = app.ctx()
const losses: [string, 200 | 401 | 403, (work: Work) => Promise<unknown>][] = [
  ['a logout', 200, ({ me }) => me.call(session.logout)],
  [
    'the end of the session from the profile in another browser',
    200,
    async ({ me }) => {
      const other = await app.anonymous.call(session.login, { body: { username: me.name, password: goodPassword } })
      await app.caller(me, other.token).call(session.endOtherSessions)
    },
  ],
  ['another login in the same browser', 200, ({ me, browser }) => browser.logIn(app, me.name)],
  ['a ban by hand', 401, ({ me }) => ban(ctx, me.id)],
  [
    'a change of the password',
    200,
    ({ me }) =>
      me.call(users.update, {
        params: { id: me.id },
        body: { oldPassword: goodPassword, password: 'Silent-Maple-92', rePassword: 'Silent-Maple-92' },
      }),
  ],
  ['a new initial password', 403, ({ me }) => resetPassword(ctx, me.name)],
]

test.for(losses)('after %s nothing that was open continues', async ([, apiToken, lose]) => {
  const work = await atWork()
  const { me, byToken, headers, ticket, path, pushed, terminal } = work
  expect([await works(me), await works(byToken)]).toEqual([200, 200])
  await lose(work)
  expect(await works(me)).toBe(401)
  await expect(app.anonymous.call(session.refresh, {}, headers)).rejects.toMatchObject({ status: 401 })
  // each is closed by the event, long before the periodic reauthorization
  expect(await Promise.all([pushed.ended, terminal.ended])).toEqual([1008, 1008])
  await expect.poll(() => terminalEnded).toContain(me.id)
  expect(await (await client.open(`${path}?authorization=${ticket}`)).ended).toBe(401)
  expect(await works(byToken)).toBe(apiToken)
})

test('a lock after wrong passwords ends nothing that is open, and a locked user can still be banned', async () => {
  const { me, byToken, headers, ticket, path, pushed, terminal } = await atWork()
  for (let wrong = 0; wrong < 4; wrong++) await countFailure(ctx, me.id, undefined)
  const body = { username: me.name, password: goodPassword }
  await expect(app.anonymous.call(session.login, { body })).rejects.toMatchObject({ key: 'login-locked' })
  expect([await works(me), await works(byToken)]).toEqual([200, 200])
  await expect(app.anonymous.call(session.refresh, {}, headers)).resolves.toMatchObject({ id: me.id })
  const opened = await client.open(`${path}?authorization=${ticket}`)
  expect(opened.ws.readyState).toBe(opened.ws.OPEN)
  pushed.send({ op: 'ping' })
  await expect.poll(() => pushed.frames).toEqual([{ op: 'pong' }])
  await ban(ctx, me.id)
  expect(await Promise.all([pushed.ended, terminal.ended, opened.ended])).toEqual([1008, 1008, 1008])
  expect([await works(me), await works(byToken)]).toEqual([401, 401])
})

test('a permission that a role loses closes the terminal and refuses the call, and nothing else', async () => {
  const { me, byToken, pushed, terminal, ticket, path } = await atWork()
  await app.db.updateTable('team_role').set({ permissions: [] }).where('name', '=', `role-${me.id}`).execute()
  expect([await works(me), await works(byToken)]).toEqual([403, 403])
  expect(await terminal.ended).toBe(1008)
  expect(await (await client.open(`${path}?authorization=${ticket}`)).ended).toBe(403)
  pushed.send({ op: 'ping' })
  await expect.poll(() => pushed.frames).toEqual([{ op: 'pong' }])
  pushed.ws.close()
})

test('a removed member loses the team and stays logged in', async () => {
  const { me, byToken, terminal } = await atWork()
  await app.db.deleteFrom('team_member').where('account_id', '=', me.id).execute()
  expect([await works(me), await works(byToken)]).toEqual([403, 403])
  expect(await terminal.ended).toBe(1008)
  await expect(me.call(users.get, { params: { id: me.id } })).resolves.toMatchObject({ teams: [] })
})

test('lifting a ban restores the API token, but no session', async () => {
  const { me, byToken, headers } = await atWork()
  await ban(ctx, me.id)
  await unban(ctx, me.id)
  expect([await works(me), await works(byToken)]).toEqual([401, 200])
  await expect(app.anonymous.call(session.refresh, {}, headers)).rejects.toMatchObject({ status: 401 })
})
