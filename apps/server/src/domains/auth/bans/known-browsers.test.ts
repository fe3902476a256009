import * as argon2 from '@node-rs/argon2'
import { session } from '@gantry/contract/auth/session'
import { proofHeader } from '@gantry/contract/envelope'
import { users } from '@gantry/contract/users/users'
import { beforeEach, expect, test, vi } from 'vitest'
import { newBrowser, type TestBrowser } from '../../../../test/browser.ts'
import { givePassword, goodPassword } from '../../../../test/password.ts'
import { testApp, type TestApp } from '../../../../test/test-app.ts'
import { resetPassword, unbanUser } from '../public.ts'
import { jobs } from './bans.module.ts'
import { maxBrowsers, maxUsers } from './known-browsers.store.ts'

vi.mock('@node-rs/argon2', { spy: true })

const onlyDomains = ['auth', 'users', 'teams']
const app = await testApp({ onlyDomains })
const replica = await testApp({ onlyDomains, beside: app })
const team = await app.team()
beforeEach(() => app.db.deleteFrom('rate_counter').execute())

async function member() {
  const one = await team.member()
  await givePassword(app, one.id)
  return one
}

/** The outcome of a login: 'in', or the key of its refusal. */
async function login(browser: TestBrowser, { name }: { name: string }, password = goodPassword, on: TestApp = app) {
  const reply = await browser.logIn(on, name, password)
  return reply.statusCode === 200 ? 'in' : reply.json<{ message: string }>().message
}

/** A member with a browser in which they have logged in. */
async function atHome() {
  const [one, home] = [await member(), newBrowser()]
  expect(await login(home, one)).toBe('in')
  return { one, home }
}

const guess = async (browser: TestBrowser, one: { name: string }, times = 4) => {
  for (let wrong = 0; wrong < times; wrong++) expect(await login(browser, one, 'wrong')).toBe('login-refused')
}
const account = (id: number) =>
  app.db.selectFrom('account').select(['status', 'wrong_passwords']).where('id', '=', id).executeTakeFirst()
const counts = async (id: number) =>
  (await app.db.selectFrom('known_browser').select('wrong_passwords').where('account_id', '=', id).execute()).map(
    (row) => row.wrong_passwords,
  )
const callerOf = async (browser: TestBrowser, one: { id: number; name: string }) => {
  const reply = await browser.logIn(app, one.name)
  const { token } = session.login.data.parse(reply.json().data)
  return app.caller({ kind: 'user', id: one.id, name: one.name, admin: false }, token)
}

test('strangers lock the account for strangers; its owner can log in from a known browser', async () => {
  const { one, home } = await atHome()
  await guess(newBrowser(), one)
  expect(await account(one.id)).toEqual({ status: 'locked', wrong_passwords: 4 })
  expect(await login(newBrowser(), one)).toBe('login-locked')
  expect(await login(home, one, 'wrong')).toBe('login-refused')
  expect(await login(home, one)).toBe('in')
  expect([await account(one.id), await counts(one.id)]).toEqual([{ status: 'locked', wrong_passwords: 4 }, [0]])
  expect(await login(newBrowser(), one)).toBe('login-locked')
  await unbanUser(app.ctx(), one.name)
  expect(await login(newBrowser(), one)).toBe('in')
})

test('a known browser has the same limit, and is locked out by its own wrong passwords', async () => {
  const { one, home } = await atHome()
  await guess(home, one, 3)
  expect(await login(home, one)).toBe('in')
  await guess(home, one)
  expect([await account(one.id), await counts(one.id)]).toEqual([{ status: 'locked', wrong_passwords: 0 }, [4]])
  for (const browser of [home, newBrowser()]) expect(await login(browser, one)).toBe('login-locked')
  await unbanUser(app.ctx(), one.name)
  for (const browser of [home, newBrowser()]) expect(await login(browser, one)).toBe('in')
})

test('two replicas count 50 parallel wrong passwords of a known browser exactly, and then refuse the right one', async () => {
  const { one, home } = await atHome()
  const tries = Array.from({ length: 50 }, (_, at) => login(home, one, `wrong ${at}`, at % 2 === 0 ? app : replica))
  expect(new Set(await Promise.all(tries))).toEqual(new Set(['login-refused']))
  expect([await account(one.id), await counts(one.id)]).toEqual([{ status: 'locked', wrong_passwords: 0 }, [50]])
  expect(await login(home, one, goodPassword, replica)).toBe('login-locked')
})

test('an answer does not reveal whether the browser is known: one hash, one answer, no cookie', async () => {
  const { one, home } = await atHome()
  const locked = await atHome()
  await guess(newBrowser(), locked.one)
  const bodies = new Set<string>()
  for (const [browser, { name }] of [
    [home, one],
    [newBrowser(), one],
    [locked.home, locked.one],
    [newBrowser(), locked.one],
    [home, { name: 'nobody-at-all' }],
  ] as const) {
    vi.mocked(argon2.verify).mockClear()
    const reply = await browser.logIn(app, name, 'wrong')
    expect([reply.statusCode, reply.headers['set-cookie']]).toEqual([400, undefined])
    expect(vi.mocked(argon2.verify)).toHaveBeenCalledTimes(1)
    bodies.add(reply.body)
  }
  expect([...bodies]).toEqual([expect.stringContaining('"login-refused"')])
})

test('a browser is known by its cookie together with its proof, and only to the account of the cookie', async () => {
  const { one, home } = await atHome()
  const theirs = await atHome()
  await guess(newBrowser(), one)
  const { cookie } = home.shown()
  const { [proofHeader]: proof } = newBrowser().shown()
  const body = { username: one.name, password: goodPassword }
  for (const headers of [{ cookie }, { cookie, [proofHeader]: proof }, { [proofHeader]: home.shown()[proofHeader] }])
    await expect(app.anonymous.call(session.login, { body }, headers)).rejects.toMatchObject({ key: 'login-locked' })
  expect(await login(theirs.home, one)).toBe('login-locked')
  expect(await login(home, one)).toBe('in')
})

test('several users are known in one browser, the last five', async () => {
  const home = newBrowser()
  const [first, second] = [await member(), await member()]
  for (const one of [first, second]) expect(await login(home, one)).toBe('in')
  for (let more = 2; more <= maxUsers; more++) expect(await login(home, await member())).toBe('in')
  for (const one of [first, second]) await guess(newBrowser(), one)
  expect([await login(home, first), await login(home, second)]).toEqual(['login-locked', 'in'])
  expect(home.jar.get('gantry_known')?.split('.')).toHaveLength(maxUsers)
})

test('a changed password forgets all browsers, and lifts the lock', async () => {
  const { one, home } = await atHome()
  const me = await callerOf(home, one)
  await guess(newBrowser(), one)
  const password = 'Silent-Maple-92'
  const body = { oldPassword: goodPassword, password, rePassword: password }
  await me.call(users.update, { params: { id: one.id }, body })
  expect([await account(one.id), await counts(one.id)]).toEqual([{ status: 'normal', wrong_passwords: 0 }, []])
  expect(await login(home, one, password)).toBe('in')
  await resetPassword(app.ctx(), one.name)
  expect(await counts(one.id)).toEqual([])
})

test('ending all other sessions forgets their browsers; ending one forgets its own', async () => {
  const [{ one, home }, away, lost] = [await atHome(), newBrowser(), newBrowser()]
  for (const browser of [away, lost]) expect(await login(browser, one)).toBe('in')
  const me = await callerOf(home, one)
  const [newest] = (await me.call(session.sessions)).filter(({ current }) => !current)
  await me.call(session.endSession, { params: { family: newest?.family ?? '' } })
  await guess(newBrowser(), one)
  expect(await login(lost, one)).toBe('login-locked')
  expect(await login(away, one)).toBe('in')
  await me.call(session.endOtherSessions)
  expect(await login(away, one)).toBe('login-locked')
  expect(await login(home, one)).toBe('in')
})

test('a logout keeps the browser known', async () => {
  const { one, home } = await atHome()
  await (await callerOf(home, one)).call(session.logout)
  await guess(newBrowser(), one)
  expect(await login(home, one)).toBe('in')
})

test('an account knows a limited number of browsers, and forgets one without a login for 90 days', async () => {
  const { one, home } = await atHome()
  for (let made = 0; made < maxBrowsers; made++) expect(await login(newBrowser(), one)).toBe('in')
  expect(await counts(one.id)).toHaveLength(maxBrowsers)
  const last = newBrowser()
  expect(await login(last, one)).toBe('in')
  await guess(newBrowser(), one)
  expect(await login(home, one)).toBe('login-locked')
  const longAgo = new Date(Date.now() - 91 * 86_400_000)
  await app.db.updateTable('known_browser').set({ last_login_at: longAgo }).where('account_id', '=', one.id).execute()
  expect(await login(last, one)).toBe('login-locked')
})

test('too many wrong current passwords end the session that tried them, and no other', async () => {
  const { one, home } = await atHome()
  const [thief, me] = [await callerOf(newBrowser(), one), await callerOf(home, one)]
  const password = 'Silent-Maple-92'
  const change = (oldPassword: string) =>
    thief.request(users.update, { params: { id: one.id }, body: { oldPassword, password, rePassword: password } })
  const tries = await Promise.all(Array.from({ length: 12 }, (_, at) => change(`wrong ${at}`)))
  expect(tries.map(({ statusCode }) => statusCode).toSorted()).toEqual([...Array(4).fill(400), ...Array(8).fill(401)])
  expect(await account(one.id)).toEqual({ status: 'locked', wrong_passwords: 4 })
  expect((await change(goodPassword)).statusCode).toBe(401)
  await expect(me.call(session.sessions)).resolves.toContainEqual(expect.objectContaining({ current: true }))
  expect(await login(home, one)).toBe('in')
})

test('a locked user without a login for 90 days becomes inactive, and open sessions end', async () => {
  const { one, home } = await atHome()
  const me = await callerOf(home, one)
  await guess(newBrowser(), one)
  const longAgo = new Date(Date.now() - 91 * 86_400_000)
  const away = { active_since: longAgo, last_login_at: longAgo }
  await app.db.updateTable('account').set(away).where('id', '=', one.id).execute()
  for (const job of jobs) await job.run(app.ctx(), {})
  expect((await account(one.id))?.status).toBe('inactive')
  await expect(me.call(session.sessions)).rejects.toMatchObject({ status: 401 })
  expect(await login(home, one)).toBe('login-inactive')
})
