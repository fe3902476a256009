import { session } from '@gantry/contract/auth/session'
import { proofHeader } from '@gantry/contract/envelope'
import { teams } from '@gantry/contract/teams/teams'
import { users } from '@gantry/contract/users/users'
import { expect, test } from 'vitest'
import { newBrowser } from '../../../../test/browser.ts'
import { givePassword, goodPassword } from '../../../../test/password.ts'
import { testApp, type TestCaller } from '../../../../test/test-app.ts'
import { hashToken, newToken } from '../../../identity/sessions.ts'
import { makeAdmin, resetPassword, unbanUser } from '../public.ts'

const app = await testApp({ onlyDomains: ['auth', 'users', 'teams'] })

async function signIn({ name }: TestCaller, password = goodPassword) {
  const browser = newBrowser()
  const reply = await browser.logIn(app, name, password)
  return { reply, sent: browser.shown(), data: session.login.data.parse(reply.json().data) }
}

async function member(permissions: string[] = []) {
  const team = await app.team()
  const one = await team.member(permissions)
  await givePassword(app, one.id)
  return { one, team }
}

const self = (one: TestCaller, token: string) => app.caller(one, token).call(users.get, { params: { id: one.id } })

test('the cookies of a login are invisible to scripts and other sites', async () => {
  const { one } = await member()
  const { reply } = await signIn(one)
  expect(reply.headers['set-cookie']).toEqual([
    expect.stringMatching(/^gantry_session=gc_[\w-]{43}; Path=\/api; Max-Age=604800; HttpOnly; SameSite=Strict$/),
    expect.stringMatching(/^gantry_known=gb_[\w-]{43}; Path=\/api; Max-Age=7776000; HttpOnly; SameSite=Strict$/),
  ])
  expect(reply.body).not.toMatch(/g[cb]_/)
})

test('under https cookies have the __Host- prefix, and one without it is ignored', async () => {
  const behind = await testApp({ onlyDomains: ['auth'], config: { publicUrl: 'https://gantry.example' } })
  await givePassword(behind, behind.admin.id)
  const browser = newBrowser()
  const reply = await browser.logIn(behind, 'admin')
  expect(reply.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-gantry_session=\S+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/),
    expect.stringMatching(/^__Host-gantry_known=\S+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/),
  ])
  expect((await browser.request(behind, session.refresh)).statusCode).toBe(200)
  const cookie = `gantry_session=${browser.jar.get('__Host-gantry_session')}`
  expect((await browser.request(behind, session.refresh, {}, { cookie })).statusCode).toBe(401)
})

test('a new tab gets a token of its own for the cookie', async () => {
  const { one, team } = await member()
  const first = await signIn(one)
  const tab = await app.anonymous.call(session.refresh, {}, first.sent)
  expect(tab).toEqual({ ...first.data, token: expect.stringMatching(/^gs_/) })
  expect(tab.token).not.toBe(first.data.token)
  expect(tab.teams[0]?.id).toBe(team.id)
  await expect(self(one, tab.token)).resolves.toMatchObject({ id: one.id })
})

test('an invalid bearer token is 401', async () => {
  const { one } = await member()
  const { data, sent } = await signIn(one)
  const cookie = /gc_[\w-]+/.exec(sent.cookie)?.[0] ?? ''
  const none = Buffer.from('{"alg":"none","kid":"../../dev/null"}').toString('base64url')
  const bad = [
    cookie,
    `${none}.${none}.`,
    data.token.slice(0, -1),
    `${data.token}A`,
    `gt_${data.token.slice(3)}`,
    'x'.repeat(16_000),
    '%00',
  ]
  for (const token of bad) await expect(self(one, token)).rejects.toMatchObject({ status: 401 })
  await expect(app.anonymous.call(users.get, { params: { id: one.id } })).rejects.toMatchObject({ status: 401 })
  await expect(
    app.anonymous.call(users.get, { params: { id: one.id } }, { authorization: `Basic ${data.token}` }),
  ).rejects.toMatchObject({ status: 401 })
})

test('the API token of another team is 401 in this one', async () => {
  const { one, team } = await member()
  const other = await app.team()
  const token = newToken('api')
  await app.db
    .insertInto('api_token')
    .values({ team_id: other.id, account_id: other.leader.id, alias: 'ci', token_hash: hashToken(token) })
    .execute()
  await app.db.insertInto('team_member').values({ team_id: team.id, account_id: other.leader.id }).execute()
  await expect(app.caller(one, token).call(teams.get, { params: { id: team.id } })).rejects.toMatchObject({
    status: 401,
    key: 'token-other-team',
  })
})

test('a cookie is useless without the proof of its page: all failures have one answer, and count', async () => {
  const { one } = await member()
  const [{ data, sent }, other] = [await signIn(one), await signIn(one)]
  const { cookie, [proofHeader]: proof = '' } = sent
  await app.db.deleteFrom('rate_counter').execute()
  const refused: Record<string, string>[] = [
    { cookie },
    { cookie, [proofHeader]: '' },
    { cookie, [proofHeader]: other.sent[proofHeader] ?? '' },
    { cookie, [proofHeader]: '0'.repeat(64) },
    { [proofHeader]: proof },
    { cookie: other.sent.cookie, [proofHeader]: proof },
    { cookie: 'gantry_session=gc_wrong', [proofHeader]: proof },
    { cookie: `gantry_session=${data.token}`, [proofHeader]: proof },
  ]
  const bodies = new Set<string>()
  for (const headers of refused) {
    const reply = await app.anonymous.request(session.refresh, {}, headers)
    expect(reply.statusCode).toBe(401)
    bodies.add(reply.body)
  }
  expect([...bodies]).toEqual([expect.stringContaining('"session-over"')])
  const counted = await app.db.selectFrom('rate_counter').select(['key', 'hits']).execute()
  expect(counted).toEqual([{ key: 'refresh-failed:127.0.0.1', hits: refused.length }])
  // a visitor without credentials does not count, and valid ones still work
  expect((await app.anonymous.request(session.refresh)).statusCode).toBe(401)
  await expect(app.anonymous.call(session.refresh, {}, sent)).resolves.toMatchObject({ id: one.id })
  expect(await app.db.selectFrom('rate_counter').select('hits').execute()).toEqual([{ hits: refused.length }])
})

test('an address with too many invalid cookies waits, except for valid ones and for logins', async () => {
  const { one } = await member()
  const { sent } = await signIn(one)
  await app.db
    .insertInto('rate_counter')
    .values({ key: 'refresh-failed:127.0.0.1', hits: 100, expires_at: new Date(Date.now() + 600_000) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ hits: 100 }))
    .execute()
  await expect(app.anonymous.call(session.refresh, {}, { cookie: sent.cookie })).rejects.toMatchObject({ status: 429 })
  await expect(app.anonymous.call(session.refresh, {}, sent)).resolves.toMatchObject({ id: one.id })
  expect((await signIn(one)).reply.statusCode).toBe(200)
  await app.db.deleteFrom('rate_counter').execute()
})

test('two tabs that open at once both get a session', async () => {
  const { one } = await member()
  const { sent } = await signIn(one)
  const tabs = await Promise.all([1, 2, 3].map(() => app.anonymous.call(session.refresh, {}, sent)))
  expect(new Set(tabs.map(({ token }) => token)).size).toBe(3)
  for (const { token } of tabs) await expect(self(one, token)).resolves.toMatchObject({ id: one.id })
})

test('a program that shows no proof gets a token, and no cookie', async () => {
  const { one } = await member()
  const reply = await app.anonymous.request(session.login, { body: { username: one.name, password: goodPassword } })
  expect([reply.statusCode, reply.headers['set-cookie']]).toEqual([200, undefined])
})

test('a cookie of an earlier release is invalid', async () => {
  const { one } = await member()
  const { sent } = await signIn(one)
  const cookie = /gc_[\w-]+/.exec(sent.cookie)?.[0] ?? ''
  await app.db
    .updateTable('session')
    .set({ token_hash: hashToken(cookie) })
    .where('account_id', '=', one.id)
    .where('kind', '=', 'cookie')
    .execute()
  for (const headers of [sent, { cookie: sent.cookie }])
    await expect(app.anonymous.call(session.refresh, {}, headers)).rejects.toMatchObject({ status: 401 })
})

test('a login ends the one that it replaces in its browser, and no other', async () => {
  const [{ one }, { one: next }] = [await member(), await member()]
  const [here, elsewhere] = [newBrowser(), newBrowser()]
  const [first, other] = [await here.logIn(app, one.name), await elsewhere.logIn(app, one.name)]
  const tokenOf = ({ json }: typeof first) => session.login.data.parse(json().data).token
  const [headers, tab] = [here.shown(), await app.anonymous.call(session.refresh, {}, here.shown())]

  // the cookie alone ends no session: a page on another port could send it
  await app.anonymous.request(
    session.login,
    { body: { username: next.name, password: goodPassword } },
    { cookie: headers.cookie },
  )
  // neither does a refused login
  await here.logIn(app, one.name, 'wrong')
  await expect(self(one, tokenOf(first))).resolves.toMatchObject({ id: one.id })

  const second = await here.logIn(app, next.name)
  for (const token of [tokenOf(first), tab.token])
    await expect(self(one, token)).rejects.toMatchObject({ status: 401, key: 'session-over' })
  await expect(app.anonymous.call(session.refresh, {}, headers)).rejects.toMatchObject({ status: 401 })
  await expect(self(one, tokenOf(other))).resolves.toMatchObject({ id: one.id })
  await expect(self(next, tokenOf(second))).resolves.toMatchObject({ id: next.id })
})

test('logout ends every tab of the login and its cookie, and no other login', async () => {
  const { one } = await member()
  const [here, elsewhere] = [await signIn(one), await signIn(one)]
  const tab = await app.anonymous.call(session.refresh, {}, here.sent)
  const reply = await app.caller(one, tab.token).request(session.logout, {})
  expect(reply.headers['set-cookie']).toMatch(/^gantry_session=; Path=\/api; Max-Age=0;/)
  for (const token of [here.data.token, tab.token])
    await expect(self(one, token)).rejects.toMatchObject({ status: 401 })
  await expect(app.anonymous.call(session.refresh, {}, here.sent)).rejects.toMatchObject({ status: 401 })
  await expect(self(one, elsewhere.data.token)).resolves.toMatchObject({ id: one.id })
})

test('a ban takes effect at the next call, by token and cookie', async () => {
  const { one } = await member()
  const { data, sent } = await signIn(one)
  await app.db.updateTable('account').set({ status: 'disabled' }).where('id', '=', one.id).execute()
  await expect(self(one, data.token)).rejects.toMatchObject({ status: 401, key: 'session-over' })
  await expect(app.anonymous.call(session.refresh, {}, sent)).rejects.toMatchObject({ status: 401 })
})

test('a session ends after 7 days, by the clock of the database, and a new tab does not extend it', async () => {
  const { one } = await member()
  const { data, sent } = await signIn(one)
  const tab = await app.anonymous.call(session.refresh, {}, sent)
  const ends = await app.db
    .selectFrom('session')
    .select(['kind', 'expires_at'])
    .where('account_id', '=', one.id)
    .orderBy('id', 'desc')
    .limit(3)
    .execute()
  expect(ends.map(({ kind }) => kind)).toEqual(['bearer', 'cookie', 'bearer'])
  const [inTab = '', ofLogin = ''] = ends.map(({ expires_at: at }) => at)
  expect(inTab <= ofLogin).toBe(true)
  await expect(self(one, tab.token)).resolves.toMatchObject({ id: one.id })
  await app.db.updateTable('session').set({ expires_at: new Date() }).where('account_id', '=', one.id).execute()
  await expect(self(one, data.token)).rejects.toMatchObject({ status: 401 })
  await expect(app.anonymous.call(session.refresh, {}, sent)).rejects.toMatchObject({ status: 401 })
})

test('switching the team is remembered by the session and the next login', async () => {
  const { one, team } = await member()
  const other = await app.team('zz-later')
  await app.db.insertInto('team_member').values({ team_id: other.id, account_id: one.id, leader: true }).execute()
  const { data, sent } = await signIn(one)
  expect(data.teams.map(({ id }) => id)).toEqual([team.id, other.id])

  const switched = await app.caller(one, data.token).call(session.refresh, { query: { tenantId: other.id } })
  expect(switched.token).toBe(data.token)
  expect(switched.teams[0]).toEqual({ id: other.id, name: 'zz-later', roleName: '', teamLeader: true })
  expect((await app.anonymous.call(session.refresh, {}, sent)).teams[0]?.id).toBe(other.id)
  expect((await signIn(one)).data.teams[0]?.id).toBe(other.id)
})

test('switching to a team without membership is refused, existing or not; and so is switching by the cookie alone', async () => {
  const { one } = await member()
  const foreign = await app.team()
  const { data, sent } = await signIn(one)
  const bodies = new Set<string>()
  for (const tenantId of [foreign.id, 2_000_000_000]) {
    const reply = await app.caller(one, data.token).request(session.refresh, { query: { tenantId } })
    expect(reply.statusCode).toBe(403)
    bodies.add(reply.body)
  }
  expect([...bodies]).toEqual([expect.stringContaining('"user-team"')])
  await expect(app.anonymous.call(session.refresh, { query: { tenantId: foreign.id } }, sent)).rejects.toMatchObject({
    status: 401,
  })
})

test('with the initial password a user may only change it', async () => {
  const team = await app.team()
  const fresh = await app.user({ newlyBuilt: true, admin: true })
  const refused = [
    () => fresh.call(teams.list),
    () => fresh.call(users.list),
    () => fresh.call(teams.get, { params: { id: team.id } }),
    () => fresh.call(users.get, { params: { id: app.admin.id } }),
    () => fresh.call(users.update, { params: { id: fresh.id }, body: { nickname: 'other' } }),
    () => fresh.call(users.update, { params: { id: app.admin.id }, body: { password: goodPassword } }),
  ]
  for (const call of refused) await expect(call()).rejects.toMatchObject({ status: 403, key: 'initial-password-first' })
  await expect(fresh.call(users.get, { params: { id: fresh.id } })).resolves.toMatchObject({ id: fresh.id })
})

test('a login leaves an audit row with the user’s name, a refused login one with the name that was tried', async () => {
  const { one } = await member()
  await signIn(one)
  await app.anonymous.call(session.login, { body: { username: one.name, password: 'wrong' } }).catch(() => undefined)
  const rows = await app.db
    .selectFrom('audit_log')
    .select(['actor_id', 'actor_name', 'status', 'message', 'object', 'detail'])
    .where('action', '=', 'session.login')
    .where('object', '=', one.name)
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { actor_id: one.id, actor_name: one.name, status: 200, message: '', object: one.name, detail: null },
    { actor_id: 0, actor_name: '', status: 400, message: 'login-refused', object: one.name, detail: null },
  ])
})

test('lists the options that a visitor sees', async () => {
  await expect(app.anonymous.call(session.options)).resolves.toEqual({
    productName: 'Gantry',
    version: expect.any(String),
    registration: false,
    oauth: null,
    notice: '',
    sandbox: true,
  })
})

test.for(['unapproved', 'disabled', 'locked', 'inactive'] as const)(
  'the commands on the server restore access for %s users, by unban and by a new password',
  async (status) => {
    const [one, other] = [(await member()).one, (await member()).one]
    for (const { id } of [one, other])
      await app.db
        .updateTable('account')
        .set({ status, wrong_passwords: 9, active_since: new Date(0) })
        .where('id', '=', id)
        .execute()
    await unbanUser(app.ctx(), one.name)
    expect((await signIn(one)).data).toMatchObject({ id: one.id, newlyBuilt: false })
    const password = await resetPassword(app.ctx(), other.name)
    expect((await signIn(other, password)).data).toMatchObject({ id: other.id, newlyBuilt: true })
  },
)

test('the commands on the server: unban, reset a password, make an administrator', async () => {
  const { one } = await member()
  const { data } = await signIn(one)
  await app.db.updateTable('account').set({ status: 'locked', wrong_passwords: 9 }).where('id', '=', one.id).execute()
  await unbanUser(app.ctx(), one.name.toUpperCase())
  await expect(self(one, data.token)).resolves.toMatchObject({ state: 'normal' })

  const password = await resetPassword(app.ctx(), `${one.name}@example.test`)
  await expect(self(one, data.token)).rejects.toMatchObject({ status: 401 })
  expect((await signIn(one, password)).data).toMatchObject({ newlyBuilt: true, admin: false })

  await makeAdmin(app.ctx(), one.name)
  expect((await signIn(one, password)).data.admin).toBe(true)
  await expect(unbanUser(app.ctx(), 'nobody')).rejects.toMatchObject({ key: 'rescue-unknown' })

  const rows = await app.db
    .selectFrom('audit_log')
    .select(['actor_kind', 'action'])
    .where('action', 'like', 'admin.%')
    .where('object', '=', one.name)
    .orderBy('id')
    .execute()
  expect(rows).toEqual(
    ['admin.unban', 'admin.reset-password', 'admin.make-admin'].map((action) => ({ actor_kind: 'system', action })),
  )
})
