import { expect, test } from 'vitest'
import { mask } from '@gantry/contract/validators'
import { note } from '../kernel/audit.ts'
import { makeTicket } from '../identity/sessions.ts'
import { samples, sampleCalls } from '../../test/samples.ts'
import { testApp } from '../../test/test-app.ts'
import { writeAuditRow } from './audit-trail.ts'

const app = await testApp({ onlyDomains: [], more: sampleCalls })
const team = await app.team()

const lastRow = () =>
  app.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
const rows = async () =>
  Number(
    (
      await app.db
        .selectFrom('audit_log')
        .select((e) => e.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

test('an audited call records who, what, where, when and the outcome, but no secret', async () => {
  const body = { name: 'a thing', password: 'correct horse' }
  await team.leader.call(samples.inTeam, { params: { teamId: team.id }, body })
  const row = await lastRow()
  expect(row).toMatchObject({
    actor_kind: 'user',
    actor_id: team.leader.id,
    actor_name: team.leader.name,
    team_id: team.id,
    action: 'thing.create',
    method: 'POST',
    url: `/api/sample/teams/${team.id}/things`,
    object: 'a thing',
    status: 200,
    message: '',
    ip: '127.0.0.1',
    detail: { after: { name: 'a thing', password: mask } },
  })
  expect(row.duration_ms).toBeGreaterThanOrEqual(0)
})

test('a refused call records the reason too', async () => {
  const stranger = await app.user()
  await expect(stranger.call(samples.inTeam, { params: { teamId: team.id }, body: { name: 'x' } })).rejects.toThrow(
    'not a member',
  )
  expect(await lastRow()).toMatchObject({ actor_id: stranger.id, status: 403, message: 'user-team' })
  await expect(
    app.anonymous.call(samples.inTeam, { params: { teamId: team.id }, body: { name: 'x' } }),
  ).rejects.toThrow('log in')
  expect(await lastRow()).toMatchObject({ actor_kind: 'anonymous', actor_id: 0, status: 401 })
})

test('a text that is cut within an emoji does not lose the row', async () => {
  const name = `${'x'.repeat(1_999)}😀${'y'.repeat(9_000)}`
  const stored = `${'x'.repeat(1_999)}\ufffd…`
  await team.leader.call(samples.inTeam, { params: { teamId: team.id }, body: { name } })
  expect(await lastRow()).toMatchObject({
    action: 'thing.create',
    object: stored.slice(0, 500),
    detail: { after: { name: stored } },
  })
})

test('a detail that is not JSON is left out, and the row is written', async () => {
  const ctx = app.ctx()
  note(ctx, { object: 'of no JSON', before: { count: 1n }, after: { count: 2n } })
  const outcome = { url: '/api/sample/change', startedAt: Date.now(), status: 200, message: '' }
  await writeAuditRow({ ctx, endpoint: samples.changing, ...outcome })
  expect(await lastRow()).toMatchObject({ action: 'sample.change', object: 'of no JSON', detail: null })
})

test('a read leaves no row', async () => {
  const before = await rows()
  await team.leader.call(samples.whoami)
  expect(await rows()).toBe(before)
})

test('a token in the address is not recorded', async () => {
  await app.admin.raw({
    method: 'GET',
    url: `${samples.changing.path}?authorization=gk_something-secret&token=hunter2`,
  })
  expect((await lastRow()).url).toBe(`${samples.changing.path}?authorization=***&token=***`)
})

test('the trail does not believe untrusted forwarding headers', async () => {
  await app.admin.request(samples.password, {}, { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' })
  expect((await lastRow()).ip).toBe('127.0.0.1')
})

test.for([
  ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a neighbouring site', { 'sec-fetch-site': 'same-site' }, 403],
  ['our own page', { 'sec-fetch-site': 'same-origin' }, 200],
  ['no browser', {}, 200],
] as const)('a GET that changes something, called %s', async ([, headers, status]) => {
  expect((await app.admin.request(samples.changing, {}, headers)).statusCode).toBe(status)
})

test('a GET that changes something accepts neither cookie nor ticket in place of the header', async () => {
  const { db } = app
  const session = await db
    .selectFrom('session')
    .selectAll()
    .where('account_id', '=', app.admin.id)
    .where('kind', '=', 'bearer')
    .executeTakeFirstOrThrow()
  const caller = {
    actor: { ...app.admin, kind: 'user' as const },
    newlyBuilt: false,
    session: { id: session.id, family: session.family, teamId: null, expiresAt: '', passwordExpired: false },
  }
  const ticket = await makeTicket(db, caller, 'GET', samples.changing.path)
  const url = `${samples.changing.path}?authorization=${ticket}`
  expect((await app.anonymous.raw({ method: 'GET', url })).json()).toMatchObject({
    code: 401,
    message: 'header-required',
  })
  const cookie = await app.anonymous.raw({
    method: 'GET',
    url: samples.changing.path,
    headers: { cookie: `token=${app.admin.token}` },
  })
  expect(cookie.statusCode).toBe(401)
})
