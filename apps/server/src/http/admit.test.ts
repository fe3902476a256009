import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hashToken, newToken } from '../identity/sessions.ts'
import { samples, sampleCalls } from '../../test/samples.ts'
import { testApp } from '../../test/test-app.ts'

const app = await testApp({ onlyDomains: [], more: sampleCalls })
const team = await app.team()
const other = await app.team()
const nobody = await app.user()
const may = await team.member(['sample_thing_create', 'sample_thing_view'])
const mayNot = await team.member()
const fresh = await app.user({ newlyBuilt: true })
const thing = (teamId: number) => ({ params: { teamId }, body: { name: 'x' } })
let roles = 0
async function systemRole(permissions: string[]) {
  const role = await app.db
    .insertInto('system_role')
    .values({ name: `system-${++roles}`, permissions })
    .returning('id')
    .executeTakeFirstOrThrow()
  return async <T extends { id: number }>(one: T): Promise<T> => {
    await app.db.insertInto('account_system_role').values({ account_id: one.id, role_id: role.id }).execute()
    return one
  }
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function apiToken(
  teamId: number,
  accountId: number,
  permissions = ['sample_thing_create', 'sample_thing_view'],
): Promise<string> {
  const token = newToken('api')
  await app.db
    .insertInto('api_token')
    .values({
      team_id: teamId,
      account_id: accountId,
      alias: token.slice(0, 12),
      token_hash: hashToken(token),
      permissions,
    })
    .execute()
  return token
}

describe('a call for a team', () => {
  test('is open to its leader, to holders of the permission, and to administrators', async () => {
    for (const caller of [team.leader, may, app.admin])
      await expect(caller.call(samples.inTeam, thing(team.id))).resolves.toEqual({ name: 'x' })
  })

  test('is refused to a visitor', async () => {
    await expect(app.anonymous.call(samples.inTeam, thing(team.id))).rejects.toMatchObject({
      status: 401,
      key: 'not-signed-in',
    })
  })

  test('is refused to users outside of the team, with the same body whether the team exists or not', async () => {
    for (const caller of [other.leader, nobody]) {
      const [existing, none] = await Promise.all([
        caller.request(samples.inTeam, thing(team.id)),
        caller.request(samples.inTeam, thing(999_999)),
      ])
      expect([existing.statusCode, existing.json().message]).toEqual([403, 'user-team'])
      expect(none.body).toBe(existing.body)
    }
  })

  test('names the missing permission, the roles that contain it and the leaders who can assign one', async () => {
    const refused = mayNot.call(samples.inTeam, thing(team.id))
    await expect(refused).rejects.toMatchObject({ status: 403, key: 'permission-missing' })
    await expect(refused).rejects.toThrow(
      `sample_thing_create. Roles of the team with this permission: role-${may.id}. Leaders who can give you a role: ${team.leader.name}`,
    )
    const nowhere = (await other.member()).call(samples.inTeam, thing(other.id))
    await expect(nowhere).rejects.toMatchObject({ status: 403, key: 'permission-missing-nobody' })
    await expect(nowhere).rejects.toThrow(other.leader.name)
  })

  test('names at most five leaders, and says where there are none', async () => {
    const [many, headless] = [await app.team(), await app.team()]
    for (let leaders = 1; leaders < 7; leaders++)
      await app.db
        .insertInto('team_member')
        .values({ team_id: many.id, account_id: (await app.user()).id, leader: true })
        .execute()
    const one = (await many.member()).call(samples.inTeam, thing(many.id))
    await expect(one).rejects.toThrow(/that: (user-\d+, ){4}user-\d+ …$/)
    const left = await headless.member()
    await app.db.deleteFrom('team_member').where('account_id', '=', headless.leader.id).execute()
    await expect(left.call(samples.inTeam, thing(headless.id))).rejects.toMatchObject({
      key: 'permission-missing-admin',
    })
  })

  test('answers 404 to an administrator where the team does not exist', async () => {
    await expect(app.admin.call(samples.team, { params: { teamId: 999_999 } })).rejects.toMatchObject({ status: 404 })
  })

  test('accepts the permission from a system role, for members and for others', async () => {
    const everywhere = await systemRole(['sample_thing_create'])
    for (const caller of [await everywhere(await team.member()), await everywhere(await app.user())]) {
      await expect(caller.call(samples.inTeam, thing(team.id))).resolves.toEqual({ name: 'x' })
      await expect(caller.call(samples.inTeam, thing(other.id))).resolves.toEqual({ name: 'x' })
      await expect(caller.call(samples.owned, { params: { id: other.id } })).rejects.toMatchObject({ status: 403 })
      await expect(caller.call(samples.inTeam, thing(999_999))).rejects.toMatchObject({ key: 'user-team' })
    }
  })

  test('is not opened by a system role without permissions of teams', async () => {
    const caller = await (await systemRole(['system_thing_view']))(await app.user())
    await expect(caller.call(samples.team, { params: { teamId: team.id } })).rejects.toMatchObject({ key: 'user-team' })
    await expect(caller.call(samples.system)).resolves.toBeNull()
    await expect(team.leader.call(samples.system)).rejects.toMatchObject({ key: 'permission-missing-system' })
  })
})

describe('the tenant header', () => {
  test.for([
    ['of another team', (): string => String(other.id)],
    ['doubled', (): string => `${team.id}, ${other.id}`],
    ['of two', (): string => `${team.id},${other.id}`],
    ['with a space', (): string => ` ${team.id}`],
    ['empty', (): string => ''],
  ] as const)('%s grants and changes nothing', async ([, value]) => {
    const headers = { 'x-tenant-id': value() }
    await expect(may.call(samples.inTeam, thing(team.id), headers)).resolves.toEqual({ name: 'x' })
    await expect(may.call(samples.inTeam, thing(other.id), headers)).rejects.toMatchObject({ key: 'user-team' })
  })

  test('narrows only to a team of the caller', async () => {
    const tenant = async (value: number) =>
      (await may.call(samples.whoami, {}, { 'x-tenant-id': String(value) })).tenant
    expect(await tenant(team.id)).toBe(team.id)
    expect(await tenant(other.id)).toBeNull()
  })
})

describe('a call for the owner of a stored object', () => {
  test('is open to its team', async () => {
    await expect(may.call(samples.owned, { params: { id: team.id } })).resolves.toEqual({ id: team.id })
    await expect(app.admin.call(samples.owned, { params: { id: team.id } })).resolves.toEqual({ id: team.id })
  })

  test('answers a foreign object exactly like one that does not exist', async () => {
    const foreign = await may.request(samples.owned, { params: { id: other.id } })
    const none = await may.request(samples.owned, { params: { id: 2_000_000 } })
    expect([foreign.statusCode, foreign.json().message]).toEqual([404, 'resource-missing'])
    expect(foreign.body).toBe(none.body)
  })

  test('answers 403 to a member without the permission', async () => {
    await expect(mayNot.call(samples.owned, { params: { id: team.id } })).rejects.toMatchObject({ status: 403 })
  })
})

describe('a call whose body names the object', () => {
  const wrong = { names: ['', 1, null], unknown: true }

  test('is open to its team, and says what is wrong with the body', async () => {
    await expect(may.call(samples.ownedInBody, { body: { id: team.id, names: ['a'] } })).resolves.toEqual({
      id: team.id,
    })
    const answer = await may.request(samples.ownedInBody, { body: { ...wrong, id: team.id } as never })
    expect([answer.statusCode, answer.json().data.length]).toEqual([400, 4])
  })

  test('is refused to others whatever else their body contains', async () => {
    const foreign = await may.request(samples.ownedInBody, { body: { ...wrong, id: other.id } as never })
    const none = await may.request(samples.ownedInBody, { body: { ...wrong, id: 2_000_000 } as never })
    expect([foreign.statusCode, foreign.body]).toEqual([404, none.body])
    const without = await mayNot.request(samples.ownedInBody, { body: { ...wrong, id: team.id } as never })
    expect(without.statusCode).toBe(403)
  })

  test.for([[{}], [{ id: 'x' }], [{ id: { $ne: 1 } }], [[]]] as const)(
    'is invalid where its body names no object: %j',
    async ([body]) => {
      const answer = await may.request(samples.ownedInBody, { body: body as never })
      expect(answer.statusCode).toBe(400)
    },
  )
})

describe('a call for something that several teams share', () => {
  const ask = (caller: Pick<typeof may, 'call'>, id: string) => caller.call(samples.shared, { params: { id } })
  const both = `${team.id}-${other.id}`

  test('is open to holders of the permission in one of them, and to administrators', async () => {
    for (const caller of [may, team.leader, other.leader, app.admin])
      expect(await ask(caller, both)).toEqual({ id: both })
    expect(await ask(may, 'every')).toEqual({ id: 'every' })
    expect(
      await ask(await systemRole(['sample_thing_view']).then(async (give) => give(await app.user())), both),
    ).toEqual({
      id: both,
    })
  })

  test('answers 404 to users of none of them, exactly as where the object does not exist', async () => {
    for (const [caller, id] of [
      [nobody, both],
      [nobody, 'every'],
      [may, String(other.id)],
      [app.admin, 'none'],
    ] as const)
      await expect(ask(caller, id)).rejects.toMatchObject({ status: 404, key: 'resource-missing' })
  })

  test('answers 403 to a member without the permission, even one who holds it in other teams', async () => {
    await expect(ask(mayNot, both)).rejects.toMatchObject({ status: 403, key: 'permission-missing' })
    const elsewhere = await other.member(['sample_thing_view'])
    await app.db.insertInto('team_member').values({ team_id: team.id, account_id: elsewhere.id }).execute()
    await expect(ask(elsewhere, String(team.id))).rejects.toMatchObject({ status: 403 })
    expect(await ask(elsewhere, both)).toEqual({ id: both })
  })

  test('is open to an API token of one of the teams alone', async () => {
    const token = await apiToken(team.id, team.leader.id)
    const request = (id: string) =>
      app.anonymous.request(samples.shared, { params: { id } }, bearer(token)).then((answer) => answer.statusCode)
    expect([await request(both), await request(String(other.id))]).toEqual([200, 404])
  })
})

test('a user with the initial password may only change it', async () => {
  await expect(fresh.call(samples.password)).resolves.toBeNull()
  for (const call of [samples.whoami, samples.changing, samples.list])
    await expect(fresh.call(call as typeof samples.whoami)).rejects.toMatchObject({
      status: 403,
      key: 'initial-password-first',
    })
})

test('only an administrator may call what is reserved for administrators', async () => {
  await expect(app.admin.call(samples.admin)).resolves.toBeNull()
  await expect(team.leader.call(samples.admin)).rejects.toMatchObject({ status: 403, key: 'admin-only' })
})

describe('a token', () => {
  test.for([
    ['unsigned', 'eyJhbGciOiJub25lIn0.eyJpZCI6MX0.'],
    ['with a path as key', 'eyJhbGciOiJIUzI1NiIsImtpZCI6Ii4uLy4uL2Rldi9udWxsIn0.e30.x'],
    ['unknown', newToken('session')],
    ['truncated', (): string => (app.admin.token ?? '').slice(0, -1)],
    [
      'as its own hash',
      () =>
        createHash('sha256')
          .update(app.admin.token ?? '')
          .digest('hex'),
    ],
    ['of 16 kB', 'a'.repeat(15_000)],
    ['with a quote', "gs_' or true --"],
  ] as const)('%s is 401', async ([, token]) => {
    const given = typeof token === 'function' ? token() : token
    await expect(app.anonymous.call(samples.whoami, {}, bearer(given))).rejects.toMatchObject({
      status: 401,
      key: 'session-over',
    })
  })

  test('is refused as a bearer token if it is the token of a cookie or ticket', async () => {
    for (const kind of ['cookie', 'browser', 'ticket', 'agent'] as const)
      await expect(app.anonymous.call(samples.whoami, {}, bearer(newToken(kind)))).rejects.toMatchObject({
        status: 401,
      })
  })

  test('answers 401 once it has expired, or its user is disabled or inactive', async () => {
    const [late, disabled, inactive] = [await app.user(), await app.user(), await app.user()]
    await app.db
      .updateTable('session')
      .set({ expires_at: new Date(0) })
      .where('account_id', '=', late.id)
      .execute()
    await app.db.updateTable('account').set({ status: 'disabled' }).where('id', '=', disabled.id).execute()
    await app.db.updateTable('account').set({ status: 'inactive' }).where('id', '=', inactive.id).execute()
    for (const caller of [late, disabled, inactive])
      await expect(caller.call(samples.whoami)).rejects.toMatchObject({ status: 401, key: 'session-over' })
  })

  test('counts as absent where anyone may call, if it is invalid', async () => {
    await expect(app.anonymous.call(samples.bodiless, {}, bearer('stale'))).resolves.toBeNull()
  })
})

describe('an API token', () => {
  test('acts in its own team only, with its creator’s permissions', async () => {
    const token = bearer(await apiToken(team.id, may.id))
    await expect(app.anonymous.call(samples.inTeam, thing(team.id), token)).resolves.toEqual({ name: 'x' })
    await expect(app.anonymous.call(samples.owned, { params: { id: team.id } }, token)).resolves.toEqual({
      id: team.id,
    })
    await expect(app.anonymous.call(samples.inTeam, thing(other.id), token)).rejects.toMatchObject({
      status: 401,
      key: 'token-other-team',
    })
    await expect(app.anonymous.call(samples.owned, { params: { id: other.id } }, token)).rejects.toMatchObject({
      status: 404,
    })
  })

  test('never acts for its creator’s account, nor as an administrator', async () => {
    const token = bearer(await apiToken(team.id, app.admin.id))
    await expect(app.anonymous.call(samples.admin, {}, token)).rejects.toMatchObject({
      status: 403,
      key: 'token-not-here',
    })
    await expect(app.anonymous.call(samples.password, {}, token)).rejects.toMatchObject({
      status: 403,
      key: 'token-not-here',
    })
    await expect(app.anonymous.call(samples.whoami, {}, token)).resolves.toMatchObject({ tenant: team.id })
  })

  test('has its own permissions and no more, even if its creator is a leader or an administrator', async () => {
    for (const maker of [team.leader, app.admin]) {
      const token = bearer(await apiToken(team.id, maker.id, ['sample_thing_view']))
      await expect(app.anonymous.call(samples.owned, { params: { id: team.id } }, token)).resolves.toBeDefined()
      await expect(app.anonymous.call(samples.inTeam, thing(team.id), token)).rejects.toMatchObject({
        status: 403,
        key: 'permission-missing-token',
      })
      await expect(app.anonymous.call(samples.system, {}, token)).rejects.toMatchObject({ key: 'token-not-here' })
    }
  })

  test('loses the permissions that its creator loses', async () => {
    const one = await team.member(['sample_thing_create', 'sample_thing_view'])
    const token = bearer(await apiToken(team.id, one.id))
    await app.db
      .updateTable('team_role')
      .set({ permissions: ['sample_thing_view'] })
      .where('name', '=', `role-${one.id}`)
      .execute()
    await expect(app.anonymous.call(samples.owned, { params: { id: team.id } }, token)).resolves.toBeDefined()
    await expect(app.anonymous.call(samples.inTeam, thing(team.id), token)).rejects.toMatchObject({
      key: 'permission-missing-maker',
    })
  })

  test('answers 401 once it has expired', async () => {
    const token = await apiToken(team.id, may.id)
    await app.db
      .updateTable('api_token')
      .set({ expires_at: new Date(0) })
      .where('token_hash', '=', hashToken(token))
      .execute()
    await expect(app.anonymous.call(samples.whoami, {}, bearer(token))).rejects.toMatchObject({
      status: 401,
      key: 'session-over',
    })
  })

  test('ends with its creator’s membership', async () => {
    const one = await team.member(['sample_thing_create'])
    const token = bearer(await apiToken(team.id, one.id))
    await app.db.deleteFrom('team_member').where('account_id', '=', one.id).execute()
    await expect(app.anonymous.call(samples.inTeam, thing(team.id), token)).rejects.toMatchObject({
      status: 403,
      key: 'user-team',
    })
  })
})

test('a call for agents refuses users', async () => {
  await expect(app.anonymous.call(samples.agent)).rejects.toMatchObject({ status: 401 })
  await expect(app.admin.call(samples.agent)).rejects.toMatchObject({ status: 403, key: 'agent-only' })
})

test('forwarding headers are believed from trusted proxies only', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.7' }
  expect((await app.admin.call(samples.whoami, {}, headers)).ip).toBe('127.0.0.1')
  const behind = await testApp({ onlyDomains: [], more: sampleCalls, config: { trustedProxies: ['127.0.0.0/8'] } })
  expect((await behind.admin.call(samples.whoami, {}, headers)).ip).toBe('203.0.113.7')
})
