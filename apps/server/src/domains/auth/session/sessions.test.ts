import { session } from '@gantry/contract/auth/session'
import { users } from '@gantry/contract/users/users'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newBrowser } from '../../../../test/browser.ts'
import { givePassword } from '../../../../test/password.ts'
import { testApp, type TestCaller } from '../../../../test/test-app.ts'
import { hashToken, maxTabs, newToken } from '../../../identity/sessions.ts'

const app = await testApp({ onlyDomains: ['auth', 'users', 'teams'] })
const team = await app.team()

async function member() {
  const one = await team.member()
  await app.db.deleteFrom('session').where('account_id', '=', one.id).execute()
  await givePassword(app, one.id)
  return one
}

async function signIn(one: TestCaller, userAgent: string) {
  const browser = newBrowser()
  const reply = await browser.logIn(app, one.name, undefined, { 'user-agent': userAgent })
  const { token } = session.login.data.parse(reply.json().data)
  return { ...app.caller(one, token), headers: browser.shown() }
}

const works = async (one: TestCaller) => (await one.request(users.get, { params: { id: one.id } })).statusCode === 200

test('lists each login once with its browser, and marks the caller’s own', async () => {
  const one = await member()
  const first = await signIn(one, 'first browser')
  const tab = await app.anonymous.call(session.refresh, {}, { ...first.headers, 'user-agent': 'first browser' })
  const second = await signIn(one, 'second browser')
  const list = await app.caller(one, tab.token).call(session.sessions)
  expect(list.map(({ userAgent, ip, current }) => ({ userAgent, ip, current }))).toEqual([
    { userAgent: 'second browser', ip: '127.0.0.1', current: false },
    { userAgent: 'first browser', ip: '127.0.0.1', current: true },
  ])
  expect((await second.call(session.sessions)).map(({ current }) => current)).toEqual([true, false])
  expect(JSON.stringify(list)).not.toMatch(/g[sc]_/)
})

test('the name of a browser is cut to 300 characters', async () => {
  const one = await member()
  const here = await signIn(one, 'x'.repeat(4_000))
  expect((await here.call(session.sessions)).map(({ userAgent }) => userAgent.length)).toEqual([300])
})

test('ending a login ends all of its tabs and its cookie, and no other login', async () => {
  const one = await member()
  const [here, there] = [await signIn(one, 'here'), await signIn(one, 'there')]
  const { token } = await app.anonymous.call(session.refresh, {}, there.headers)
  const family = (await here.call(session.sessions)).find(({ current }) => !current)?.family ?? ''
  await here.call(session.endSession, { params: { family } })
  expect([await works(here), await works(there), await works(app.caller(one, token))]).toEqual([true, false, false])
  await expect(app.anonymous.call(session.refresh, {}, there.headers)).rejects.toMatchObject({ status: 401 })
  await expect(here.call(session.endSession, { params: { family } })).rejects.toMatchObject({
    status: 404,
    key: 'session-missing',
  })
})

test('another user’s session is not found, even by an administrator', async () => {
  const [one, other] = [await member(), await member()]
  const [mine, theirs] = [await signIn(one, 'mine'), await signIn(other, 'theirs')]
  const family = (await theirs.call(session.sessions))[0]?.family ?? ''
  const unknown = { params: { family: '00000000-0000-4000-8000-000000000000' } }
  for (const by of [mine, app.admin]) {
    const replies = [
      await by.request(session.endSession, { params: { family } }),
      await by.request(session.endSession, unknown),
    ]
    expect(replies.map((reply) => reply.statusCode)).toEqual([404, 404])
    expect(replies[0]?.body).toBe(replies[1]?.body)
  }
  expect(await works(theirs)).toBe(true)
})

test('all other logins are ended at once', async () => {
  const one = await member()
  const [here, there, elsewhere] = [await signIn(one, 'a'), await signIn(one, 'b'), await signIn(one, 'c')]
  await here.call(session.endOtherSessions)
  expect([await works(here), await works(there), await works(elsewhere)]).toEqual([true, false, false])
  expect(await here.call(session.sessions)).toHaveLength(1)
})

test('expired logins are not listed', async () => {
  const one = await member()
  const [here, gone] = [await signIn(one, 'here'), await signIn(one, 'gone')]
  await app.db
    .updateTable('session')
    .set({ expires_at: new Date(0) })
    .where('token_hash', 'in', [hashToken(gone.token ?? '')])
    .execute()
  await app.db
    .updateTable('session')
    .set({ expires_at: new Date(0) })
    .where('user_agent', '=', 'gone')
    .execute()
  expect((await here.call(session.sessions)).map(({ userAgent }) => userAgent)).toEqual(['here'])
})

test('the last activity is exact to the minute, and most calls write nothing', async () => {
  const one = await member()
  const here = await signIn(one, 'here')
  const hash = hashToken(here.token ?? '')
  const seen = async () =>
    (await app.db.selectFrom('session').select('last_seen_at').where('token_hash', '=', hash).executeTakeFirstOrThrow())
      .last_seen_at
  const at = (secondsAgo: number) =>
    app.db
      .updateTable('session')
      .set({ last_seen_at: new Date(Date.now() - secondsAgo * 1_000) })
      .where('token_hash', '=', hash)
      .execute()
  await at(30)
  const before = await seen()
  await works(here)
  expect(await seen()).toBe(before)
  await at(3_600)
  await works(here)
  expect(Date.parse(await seen())).toBeGreaterThan(Date.parse(before))
})

test('a login keeps a limited number of tabs, and drops the one unused for longest', async () => {
  const one = await member()
  const here = await signIn(one, 'here')
  const open = async () => app.caller(one, (await app.anonymous.call(session.refresh, {}, here.headers)).token)
  const unused = await open()
  await app.db
    .updateTable('session')
    .set({ last_seen_at: new Date(Date.now() - 3_600_000) })
    .where('token_hash', '=', hashToken(unused.token ?? ''))
    .execute()
  await sql`insert into session (family, kind, account_id, team_id, ip, user_agent, password_expired, expires_at, token_hash)
    select family, kind, account_id, team_id, ip, user_agent, password_expired, expires_at, sha256(token_hash || n::text::bytea)
    from session, generate_series(3, ${maxTabs}::int) as n where token_hash = ${hashToken(unused.token ?? '')}`.execute(
    app.db,
  )
  expect([await works(here), await works(unused)]).toEqual([true, true])
  await app.db
    .updateTable('session')
    .set({ last_seen_at: new Date(Date.now() - 3_600_000) })
    .where('token_hash', '=', hashToken(unused.token ?? ''))
    .execute()
  const newest = await open()
  expect([await works(here), await works(unused), await works(newest)]).toEqual([true, false, true])
})

async function eventsOf({ id }: TestCaller): Promise<number> {
  const events = await app.db.selectFrom('outbox').select('content').where('topic', '=', 'access').execute()
  return events.filter(({ content }) => (content as { accountId: number }).accountId === id).length
}

test('all sessions of an account end at once with one event, however many there are', async () => {
  const one = await member()
  const here = await signIn(one, 'here')
  await app.db
    .insertInto('session')
    .columns(['family', 'kind', 'token_hash', 'account_id', 'expires_at'])
    .expression(
      sql`select gen_random_uuid(), 'bearer', sha256(n::text::bytea), ${one.id}::int, now() + interval '7 days'
          from generate_series(1, 20000) as n`,
    )
    .execute()
  const before = await eventsOf(one)
  await here.call(session.endOtherSessions)
  expect(await here.call(session.sessions)).toHaveLength(1)
  expect(await eventsOf(one)).toBe(before + 1)
})

test('an API token cannot list or end logins', async () => {
  const token = newToken('api')
  await app.db
    .insertInto('api_token')
    .values({ team_id: team.id, account_id: team.leader.id, alias: 'ci', token_hash: hashToken(token) })
    .execute()
  const bearer = { authorization: `Bearer ${token}` }
  for (const call of [session.sessions, session.endOtherSessions])
    await expect(app.anonymous.call(call, {}, bearer)).rejects.toMatchObject({ status: 403, key: 'token-not-here' })
})
