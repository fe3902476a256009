import { audit } from '@gantry/contract/audit/audit'
import { session } from '@gantry/contract/auth/session'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { testApp, type TestCaller } from '../../../test/test-app.ts'
import { expireAudit } from './retention.service.ts'

/** More rows than one window, so that old and rare rows are found by the indexes. */
const app = await testApp({ onlyDomains: ['auth', 'users', 'teams', 'audit'] })
const team = await app.team()
const rows = 52_000

beforeAll(async () => {
  await sql`
    insert into audit_log (started_at, duration_ms, actor_kind, actor_id, actor_name, team_id, action, method, url, object, status, message, ip, request_id)
    select now() - make_interval(secs => ${rows} - n), 1, 'user', case when n <= 3 then ${team.leader.id}::int else 999 end, 'somebody',
      case when n between 10 and 12 then ${team.id}::int end, case when n % 50 = 0 then 'team.update' else 'build.trigger' end, 'POST',
      '/api/things/' || n, case when n = 5 then '=SUM("a","b")' when n = 6 then '金融服务' else 'thing-' || n end,
      case when n % 4 = 0 then 403 else 200 end, case when n % 4 = 0 then 'user-team' else '' end, '10.0.0.1', 'request-' || n
    from generate_series(1, ${rows}) n`.execute(app.db)
  await sql`analyze audit_log`.execute(app.db)
})

type Query = z.input<typeof audit.search.query>
const search = (query: Query, by: TestCaller = app.admin) => by.call(audit.search, { query })
const urls = async (query: Query, by?: TestCaller) => (await search(query, by)).items.map((row) => row.url)

test('frequent matches come from the newest rows, with a capped total', async () => {
  const all = await search({})
  expect(all).toMatchObject({ totalSize: 10_000, truncated: true })
  expect(all.items[0]?.url).toBe(`/api/things/${rows}`)
  expect(await search({ result: '0' })).toMatchObject({ totalSize: 10_000, truncated: true })
  const some = await search({ apiValue: 'team.update', pageSize: 5, page: 3 })
  expect(some).toMatchObject({ totalSize: rows / 50, requestPage: 3 })
  expect(some.items[0]?.url).toBe(`/api/things/${rows - 10 * 50}`)
})

test('old and rare matches are found by the indexes: texts, users, teams, and combinations', async () => {
  expect(await urls({ url: '/things/77', pageSize: 1, sort: 'startTime' })).toEqual(['/api/things/77'])
  expect(await search({ url: 'things/77', sort: '-startTime' })).toMatchObject({ totalSize: 1 + 10 + 100 })
  expect(await urls({ msg: '金融服务' })).toEqual(['/api/things/6'])
  expect(await urls({ userId: team.leader.id })).toEqual(['/api/things/3', '/api/things/2', '/api/things/1'])
  expect(await urls({ userId: team.leader.id, url: 'things/2' })).toEqual(['/api/things/2'])
  expect(await urls({ teamName: team.name, pageSize: 2 })).toEqual(['/api/things/12', '/api/things/11'])
  expect(await urls({ keyword: 'thing-40', pageSize: 1, sort: 'startTime', result: '1' })).toEqual(['/api/things/401'])
  expect(await urls({}, team.leader)).toHaveLength(6)
  expect(await urls({ url: 'nothing has this' })).toEqual([])
})

test('pages of rare matches are continuous', async () => {
  const query = { url: 'things/77', pageSize: 60 }
  const both = [...(await urls(query)), ...(await urls({ ...query, page: 2 }))]
  expect(both).toHaveLength(111)
  expect(new Set(both).size).toBe(111)
})

test('one or two characters are searched in the newest rows, and the answer says so', async () => {
  const found = await search({ url: '/5' })
  expect(found.truncated).toBe(true)
  expect(found.items[0]?.url).toMatch(/\/5/)
  expect(await search({ url: '/5', endTime: Date.now() - (rows - 100) * 1000 })).not.toHaveProperty('truncated')
})

const csv = async (query: z.input<typeof audit.csv.query>, by: TestCaller = app.admin) => {
  const answer = await by.request(audit.csv, { query }, { 'accept-language': 'en' })
  return { answer, lines: answer.body.split('\r\n').filter(Boolean) }
}

test('CSV has the rows of the search, in their order, and no cell that a spreadsheet would run', async () => {
  const { answer, lines } = await csv({ userId: 999, url: '/things/5', endTime: Date.now() - (rows - 60) * 1000 })
  expect(answer.headers['content-disposition']).toContain('audit.csv')
  expect(lines[0]).toMatch(/^\ufeffTime \(UTC\),User,/)
  expect(lines.at(-1)).toContain(
    `Start build,build.trigger,"'=SUM(""a"",""b"")",Succeeded,,1,POST,/api/things/5,request-5`,
  )
  expect((await csv({ msg: 'thing-77' })).lines).toHaveLength(1 + 111)
  expect((await csv({ result: '0' })).lines).toHaveLength(1 + rows / 4)
  expect((await csv({ url: '/api/things' }, team.leader)).lines).toHaveLength(1 + 6)
})

test('an export is audited itself, with its filters', async () => {
  await csv({ url: 'things/777' })
  const { items } = await search({ apiValue: 'audit.export' })
  const row = await app.admin.call(audit.get, { params: { id: items[0]?.id ?? 0 } })
  expect(row).toMatchObject({ object: 'audit.csv', after: { url: 'things/777' } })
})

test.for(['update audit_log set message = message', 'delete from audit_log', 'truncate audit_log'])(
  'a row is written once: %s is refused by the database',
  async (statement) => {
    await expect(sql.raw(statement).execute(app.db)).rejects.toMatchObject({ code: '23001' })
  },
)

test('rows are deleted by age alone, after a number of days that an administrator sets', async () => {
  await sql`insert into audit_log (started_at, duration_ms, actor_kind, actor_id, actor_name, action, method, url, status, ip, request_id)
    select now() - interval '40 days', 1, 'system', 0, '', 'audit.old', 'RUN', '', 200, '', '' from generate_series(1, 4500)`.execute(
    app.db,
  )
  const old = async () => (await search({ apiValue: 'audit.old' })).totalSize
  expect(await app.admin.call(audit.retention)).toEqual({ days: 365 })
  expect(await expireAudit(app.ctx())).toBe(0)
  await app.admin.call(audit.setRetention, { body: { days: 30 } })
  expect(await old()).toBe(4500)
  expect(await expireAudit(app.ctx())).toBe(4500)
  expect(await old()).toBe(0)
  expect((await search({ sort: 'startTime', pageSize: 1 })).items[0]?.url).toBe('/api/things/1')
})

test('only administrators set the retention, from 30 to 3650 days', async () => {
  for (const days of [29, 3651, 30.5, Number.NaN])
    await expect(app.admin.call(audit.setRetention, { body: { days } })).rejects.toMatchObject({ status: 400 })
  await expect(team.leader.call(audit.setRetention, { body: { days: 90 } })).rejects.toMatchObject({
    key: 'admin-only',
  })
  await expect(sql`select audit_log_expire(29, 10)`.execute(app.db)).rejects.toThrow('30 days')
})

test('calls that consoles make by themselves are hidden only on request', async () => {
  await app.anonymous.call(session.refresh).catch(() => undefined)
  const renewals = { url: 'users/refresh' }
  expect(await search({ ...renewals, routine: 'hide' })).toMatchObject({ totalSize: 0 })
  expect((await search(renewals)).items).toMatchObject([{ apiValue: 'session.refresh', result: 0 }])
})
