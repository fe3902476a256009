import { session } from '@gantry/contract/auth/session'
import { joinHeader } from '@gantry/contract/envelope'
import { mail } from '@gantry/contract/settings/mail'
import { joinLinks } from '@gantry/contract/teams/join-links'
import { roles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { givePassword, goodPassword } from '../../../../test/password.ts'
import { testApp, type TestCaller } from '../../../../test/test-app.ts'
import type { MailMessage } from '../../../adapters/smtp/smtp.ts'

const sent: MailMessage[] = []
const app = await testApp({
  onlyDomains: ['auth', 'users', 'teams', 'settings', 'audit'],
  config: { registration: true },
  ports: { mail: { send: async (_, message) => void sent.push(message) } },
})

type Body = { roleId?: number | null; hours?: number; email?: string }
const make = (by: TestCaller, teamId: number, { roleId = null, hours = 24, ...more }: Body = {}) =>
  by.call(joinLinks.create, { params: { id: teamId }, body: { roleId, hours, ...more } })
const tokenIn = (url: string) => url.split('#')[1] ?? ''
const open = (token: string) => app.anonymous.call(joinLinks.open, {}, { [joinHeader]: token })
const join = (by: TestCaller, token: string) => by.call(joinLinks.join, { body: { token } })
const linksOf = async (by: TestCaller, teamId: number) =>
  (await by.call(joinLinks.list, { params: { id: teamId } })).links
const memberOf = async (teamId: number, userName: string) =>
  (await app.admin.call(teams.members, { params: { id: teamId }, query: { keyword: userName } })).items[0]
const over = { status: 404, key: 'join-link-over' }
const expire = () => sql`update team_join_link set expires_at = now()`.execute(app.db)

async function teamWithRole(permissions = ['team_role_view']) {
  const team = await app.team()
  const params = { teamId: team.id }
  const role = await team.leader.call(roles.create, { params, query: { roleName: 'guest' } })
  const body = permissions.map((name) => ({ name, enable: true }))
  await team.leader.call(roles.setPermissions, { params: { ...params, roleId: role.id }, body })
  return { ...team, role }
}

/** A user with a password and no team, who can log in only by a link. */
async function stranger(userName: string) {
  const { id } = await app.user({ name: userName })
  await givePassword(app, id)
  const headers = { 'gantry-proof': 'a'.repeat(64) }
  return (token?: string) =>
    app.anonymous.call(
      session.login,
      { body: { username: userName, password: goodPassword } },
      { ...headers, ...(token === undefined ? {} : { [joinHeader]: token }) },
    )
}

test('a user who opens a link joins with its role, and the link is used up', async () => {
  const { id, name, leader, role } = await teamWithRole()
  const link = await make(leader, id, { roleId: role.id })
  expect(link).toMatchObject({ roleName: 'guest', leader: false, by: leader.name, email: '' })
  expect(link.url).toMatch(/^http.+\/login\/join#gj_[\w-]{43}$/)
  const token = tokenIn(link.url)
  expect(await open(token)).toMatchObject({ team: { id, name }, roleName: 'guest', by: leader.name })
  const one = await app.user()
  expect(await join(one, token)).toEqual({ teamId: id })
  expect(await memberOf(id, one.name)).toMatchObject({ roleName: 'guest', teamLeader: false })
  await expect(join(await app.user(), token)).rejects.toMatchObject(over)
  expect(await linksOf(leader, id)).toEqual([])
})

test('used, revoked, expired and invented links get the same refusal', async () => {
  const { id, leader } = await app.team()
  const [used, revoked, expired] = [await make(leader, id), await make(leader, id), await make(leader, id)]
  await join(await app.user(), tokenIn(used.url))
  await leader.call(joinLinks.revoke, { params: { id, linkId: revoked.id } })
  await expire()
  for (const token of [...[used, revoked, expired].map(({ url }) => tokenIn(url)), `gj_${'x'.repeat(43)}`, '']) {
    const refused = await open(token).catch((error: unknown) => error)
    expect(refused).toMatchObject(over)
    expect(await join(await app.user(), token).catch((error: unknown) => error)).toEqual(refused)
  }
  await expect(leader.call(joinLinks.revoke, { params: { id, linkId: expired.id } })).rejects.toMatchObject(over)
})

test('of two users who open a link concurrently one joins', async () => {
  const { id, leader } = await app.team()
  const token = tokenIn((await make(leader, id)).url)
  const people = await Promise.all(Array.from({ length: 6 }, () => app.user()))
  const done = await Promise.allSettled(people.map((one) => join(one, token)))
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a member who opens a link does not use it up', async () => {
  const { id, leader } = await app.team()
  const token = tokenIn((await make(leader, id)).url)
  expect(await join(leader, token)).toEqual({ teamId: id })
  expect(await memberOf(id, leader.name)).toMatchObject({ teamLeader: true })
  expect(await linksOf(leader, id)).toHaveLength(1)
})

test('nobody invites with more than they hold, nor as a leader', async () => {
  const { id, leader, role, member } = await teamWithRole(['team_role_edit'])
  const adder = await member(['team_member_create'])
  await expect(make(adder, id, { roleId: role.id })).rejects.toMatchObject({ status: 403, key: 'role-grant-lacking' })
  await expect(make(adder, id, { roleId: 0 })).rejects.toMatchObject({ status: 403, key: 'team-leader-only' })
  await expect(make(adder, id)).resolves.toMatchObject({ roleName: '' })
  await expect(make(await member(), id)).rejects.toMatchObject({ status: 403 })
  const theirs = await teamWithRole()
  await expect(make(leader, id, { roleId: theirs.role.id })).rejects.toMatchObject({ key: 'role-missing' })
  const one = await app.user()
  await join(one, tokenIn((await make(leader, id, { roleId: 0 })).url))
  expect(await memberOf(id, one.name)).toMatchObject({ teamLeader: true })
})

test('a link grants no more than its creator may grant when it is opened', async () => {
  const { id, leader, role, member } = await teamWithRole([])
  const adder = await member(['team_member_create'])
  const token = tokenIn((await make(adder, id, { roleId: role.id })).url)
  const params = { teamId: id, roleId: role.id }
  const set = (enable: boolean) =>
    leader.call(roles.setPermissions, { params, body: [{ name: 'team_role_edit', enable }] })
  await set(true)
  await expect(open(token)).rejects.toMatchObject(over)
  await set(false)
  await expect(open(token)).resolves.toBeDefined()
  await leader.call(teams.removeMember, { params: { id, userId: adder.id } })
  await expect(join(await app.user(), token)).rejects.toMatchObject(over)
})

test('a link is deleted with its role, and another team can neither see nor revoke it', async () => {
  const { id, leader, role } = await teamWithRole()
  const link = await make(leader, id, { roleId: role.id })
  const other = await app.team()
  expect(await linksOf(other.leader, other.id)).toEqual([])
  const revoke = other.leader.call(joinLinks.revoke, { params: { id: other.id, linkId: link.id } })
  await expect(revoke).rejects.toMatchObject(over)
  await leader.call(roles.remove, { params: { teamId: id, roleId: role.id } })
  await expect(open(tokenIn(link.url))).rejects.toMatchObject(over)
})

test.for([0, 169, 1.5])('%s hours are refused', async (hours) => {
  const { id, leader } = await app.team()
  await expect(make(leader, id, { hours })).rejects.toMatchObject({ status: 400, key: 'join-link-hours' })
})

test('at most fifty links are open at once', async () => {
  const { id, leader } = await app.team()
  for (let n = 0; n < 50; n++) await make(leader, id)
  await expect(make(leader, id)).rejects.toMatchObject({ status: 409, key: 'join-link-many' })
})

test('only the hash of the token is stored: the list, the audit log and the outbox do not contain it', async () => {
  await expect(make(app.admin, (await app.team()).id, { email: 'ann@example.test' })).rejects.toMatchObject({
    status: 409,
    key: 'join-link-mail-off',
  })
  await app.admin.call(mail.set, {
    body: { enabled: true, host: 'smtp.example.test', port: 25, security: 'none', from: 'gantry@example.test' },
  })
  const { id, name, leader } = await app.team()
  expect((await leader.call(joinLinks.list, { params: { id } })).mail).toBe(true)
  const link = await make(leader, id, { email: 'ann@example.test' })
  const token = tokenIn(link.url)
  const one = await app.user()
  const kept = async () => [
    JSON.stringify(await linksOf(leader, id)),
    ...(await Promise.all(
      (['team_join_link', 'mail_outbox', 'audit_log', 'outbox'] as const).map(async (table) =>
        JSON.stringify(await app.db.selectFrom(table).selectAll().execute()),
      ),
    )),
  ]
  for (const text of await kept()) expect(text).not.toContain(token)
  await app.drainJobs()
  const [letter] = sent.filter(({ to }) => to === 'ann@example.test')
  expect(letter?.subject).toContain(`invites you to the team ${name}`)
  expect([letter?.text, letter?.html].every((text) => text?.includes(link.url))).toBe(true)
  await join(one, token)
  for (const text of await kept()) expect(text).not.toContain(token)
  const mails = await app.db.selectFrom('mail_outbox').select(['state', 'secret']).execute()
  expect(mails).toEqual([{ state: 'sent', secret: null }])
})

test('the audit log shows who created a link, who joined by it, and with which role', async () => {
  const { id, leader, role } = await teamWithRole()
  const one = await app.user()
  const link = await make(leader, id, { roleId: role.id })
  await join(one, tokenIn(link.url))
  const rows = await app.db
    .selectFrom('audit_log')
    .select(['action', 'actor_name as by', 'object', 'detail', 'team_id as teamId'])
    .where('action', 'like', 'join-link.%')
    .where('team_id', '=', id)
    .orderBy('id')
    .execute()
  expect(rows).toMatchObject([
    { action: 'join-link.create', by: leader.name, detail: { after: { roleId: role.id, hours: 24 } } },
    { action: 'join-link.join', by: one.name, detail: { after: { roleName: 'guest', invitedBy: leader.name } } },
  ])
})

test('a user without a team logs in with a link, and joins the team', async () => {
  const { id, leader, role } = await teamWithRole()
  const login = await stranger('newcomer')
  await expect(login()).rejects.toMatchObject({ key: 'user-Unknown-team' })
  const token = tokenIn((await make(leader, id, { roleId: role.id })).url)
  expect((await login(token)).teams).toMatchObject([{ id, roleName: 'guest' }])
  await expect(open(token)).rejects.toMatchObject(over)
  const late = await stranger('latecomer')
  await expect(late(token)).rejects.toMatchObject({ key: 'join-link-over' })
  await expect(login(token)).resolves.toMatchObject({ teams: [{ id }] })
  const row = await app.db
    .selectFrom('audit_log')
    .select(['actor_name as by', 'detail'])
    .where('action', '=', 'session.login')
    .where('team_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({ by: 'newcomer', detail: { after: { invitedBy: leader.name } } })
})

test('a wrong password does not use up a link', async () => {
  const { id, leader } = await app.team()
  await stranger('careless')
  const token = tokenIn((await make(leader, id)).url)
  const body = { username: 'careless', password: 'wrong' }
  const headers = { 'gantry-proof': 'a'.repeat(64), [joinHeader]: token }
  await expect(app.anonymous.call(session.login, { body }, headers)).rejects.toMatchObject({ key: 'login-refused' })
  await expect(open(token)).resolves.toBeDefined()
})

test('a user who registers with a link is in the team, but still waits for approval', async () => {
  const { id, leader, role } = await teamWithRole()
  const token = tokenIn((await make(leader, id, { roleId: role.id })).url)
  const register = (userName: string) =>
    app.anonymous.call(
      session.register,
      { body: { userName, nickname: userName, email: `${userName}@x.test`, password: goodPassword } },
      { [joinHeader]: token },
    )
  await register('registered')
  expect(await memberOf(id, 'registered')).toMatchObject({ state: 'unapproved', roleName: 'guest' })
  const login = { body: { username: 'registered', password: goodPassword } }
  await expect(app.anonymous.call(session.login, login)).rejects.toMatchObject({ key: 'login-unapproved' })
  await expect(register('second')).rejects.toMatchObject(over)
  const nobody = await app.db.selectFrom('account').select('id').where('user_name', '=', 'second').execute()
  expect(nobody).toEqual([])
})
