import { pushPath } from '@gantry/contract/push/path'
import { session } from '@gantry/contract/auth/session'
import { users } from '@gantry/contract/users/users'
import { beforeEach, expect, test } from 'vitest'
import { givePassword, goodPassword } from '../../../../test/password.ts'
import { socketClient } from '../../../../test/socket-client.ts'
import { testApp, type TestCaller } from '../../../../test/test-app.ts'
import { ban, unbanUser } from '../public.ts'

const onlyDomains = ['auth', 'users', 'teams']
const one = await testApp({ onlyDomains })
const two = await testApp({ onlyDomains, beside: one })
const [atOne, atTwo] = [await socketClient(one), await socketClient(two)]
const team = await one.team()
beforeEach(() => one.db.deleteFrom('rate_counter').execute())

async function member() {
  const user = await team.member()
  await givePassword(one, user.id)
  return user
}
const at = (app: typeof one, { token, ...actor }: TestCaller) => app.caller(actor, token)
const login = (app: typeof one, username: string, password = goodPassword) =>
  app.anonymous.request(session.login, { body: { username, password } })
const stored = (id: number) =>
  one.db.selectFrom('account').select(['status', 'wrong_passwords']).where('id', '=', id).executeTakeFirst()

test('two replicas count 50 parallel wrong passwords exactly, and one that starts later knows of the ban', async () => {
  const user = await member()
  const tries = Array.from({ length: 50 }, (_, i) => login(i % 2 === 0 ? one : two, user.name, `wrong ${i}`))
  expect(new Set((await Promise.all(tries)).map((reply) => reply.statusCode))).toEqual(new Set([400]))
  expect(await stored(user.id)).toEqual({ status: 'locked', wrong_passwords: 50 })
  const failed = await one.db.selectFrom('rate_counter').select(['key', 'hits']).execute()
  expect(failed).toEqual([{ key: 'login-failed:127.0.0.1', hits: 50 }])

  const restarted = await testApp({ onlyDomains, beside: one })
  expect((await login(restarted, user.name)).json()).toMatchObject({ message: 'login-locked' })
  await unbanUser(restarted.ctx(), user.name)
  for (const app of [one, two, restarted]) expect((await login(app, user.name)).statusCode).toBe(200)
})

test('an address that failed too often on one replica is slowed on the other', async () => {
  const user = await member()
  await one.db
    .insertInto('rate_counter')
    .values({ key: 'login-failed:127.0.0.1', hits: 99, expires_at: new Date(Date.now() + 600_000) })
    .execute()
  await login(one, 'nobody-known')
  expect((await login(two, user.name)).statusCode).toBe(200)
  expect((await login(one, user.name)).statusCode).toBe(429)
  expect((await login(two, user.name)).json()).toMatchObject({ message: 'login-slowed' })
})

test('a session of one replica is valid on the other, and ends on both', async () => {
  const user = await member()
  const { token } = session.login.data.parse((await login(one, user.name)).json().data)
  const there = two.caller(user, token)
  await expect(there.call(users.get, { params: { id: user.id } })).resolves.toMatchObject({ id: user.id })
  await there.call(session.logout)
  await expect(one.caller(user, token).call(session.sessions)).rejects.toMatchObject({ status: 401 })
})

test('a ticket of one replica opens a websocket of the other, once over both', async () => {
  const user = await member()
  const { ticket } = await at(one, user).call(session.ticket, { body: { method: 'GET', path: pushPath } })
  const url = `${pushPath}?authorization=${ticket}`
  const socket = await atTwo.open(url)
  expect(socket.ws.readyState).toBe(socket.ws.OPEN)
  expect(await (await atOne.open(url)).ended).toBe(401)
  expect(await (await atTwo.open(url)).ended).toBe(401)
  socket.ws.close()
})

test('a ban on one replica closes the websocket on the other, and refuses its calls', async () => {
  const user = await member()
  const socket = await atTwo.as(at(two, user), pushPath)
  await ban(one.ctx(), user.id)
  expect(await socket.ended).toBe(1008)
  await expect(at(two, user).call(session.sessions)).rejects.toMatchObject({ status: 401, key: 'session-over' })
})
