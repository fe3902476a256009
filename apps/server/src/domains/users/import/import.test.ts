import { session } from '@gantry/contract/auth/session'
import { teamTopic } from '@gantry/contract/teams/topics'
import { usersTopic } from '@gantry/contract/users/topics'
import { users } from '@gantry/contract/users/users'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { testApp, type TestCaller } from '../../../../test/test-app.ts'

const app = await testApp({ onlyDomains: ['auth', 'users', 'teams'] })
const team = await app.team('blue')

type Report = z.output<typeof users.importUsers.data>
async function send(text: string | Buffer, { by = app.admin, check = false, lang = 'en', encoding = '' } = {}) {
  const query = new URLSearchParams({ ...(check && { check: 'true' }), ...(encoding && { encoding }) })
  const reply = await by.raw({
    method: 'POST',
    url: `/api/users/import?${query.toString()}`,
    headers: { 'content-type': 'text/csv', 'accept-language': lang },
    payload: text,
  })
  return reply.json<{ code: number; message: string; data: Report }>()
}
const count = async () => (await app.db.selectFrom('account').select('id').execute()).length
const problems = ({ data }: { data: Report }) => data.rows.map(({ line, problem }) => [line, problem])
const heading = 'userName,nickname,email,team\n'

test('valid rows are checked first, and then all created, each with an initial password that is returned once', async () => {
  const text = `${heading}ada,Ada,ada@x.test,blue\nBob,小明,bob@x.test,\n`
  const before = await count()
  const looked = await send(text, { check: true })
  expect(looked).toMatchObject({ code: 200, data: { created: 0 } })
  expect(problems(looked)).toEqual([
    [2, ''],
    [3, ''],
  ])
  expect(looked.data.rows.map(({ initialPassword }) => initialPassword)).toEqual(['', ''])
  expect(await count()).toBe(before)

  await app.db.deleteFrom('outbox').execute()
  const { data } = await send(text)
  expect(data.created).toBe(2)
  const [ada, bob] = data.rows
  expect(ada?.initialPassword).toMatch(/^[A-Za-z0-9]{14}$/)
  expect(bob?.initialPassword).not.toBe(ada?.initialPassword)
  await expect(
    app.anonymous.call(session.login, { body: { username: 'ADA', password: ada?.initialPassword ?? '' } }),
  ).resolves.toMatchObject({ newlyBuilt: true, teams: [{ name: 'blue', teamLeader: false, roleName: '' }] })
  const { items } = await app.admin.call(users.list, { query: { keyword: 'bob@' } })
  expect(items).toMatchObject([{ userName: 'Bob', nickname: '小明', admin: false, type: 'IDENTITY', teams: [] }])
  const published = await app.db.selectFrom('outbox').select('topic').execute()
  expect(published.map(({ topic }) => topic)).toEqual(
    expect.arrayContaining([usersTopic.name({}), teamTopic.name({ teamId: team.id })]),
  )
  const audit = await app.db.selectFrom('audit_log').selectAll().where('action', '=', 'user.import').execute()
  for (const row of data.rows) expect(JSON.stringify(audit)).not.toContain(row.initialPassword)
})

test('one wrong row creates nobody, and the report says what is wrong with each', async () => {
  await app.user({ name: 'taken' })
  const before = await count()
  const text = [
    heading.trim(),
    'carol,Carol,carol@x.test,blue',
    'CAROL,Carol,other@x.test,',
    'dave,Dave,Carol@X.test,',
    'taken,Somebody,new@x.test,',
    'erin,Erin,TAKEN@example.test,',
    'frank,Frank,frank@x.test,green',
    '-rf,x,no address,',
    'gina,Gina,gina@x.test,blue,admin',
    '=cmd|calc!A1,=1+1,a@x.test,',
    '',
  ].join('\n')
  for (const check of [true, false]) {
    const report = await send(text, { check })
    expect(report.data.created).toBe(0)
    expect(Object.fromEntries(problems(report))).toEqual({
      2: '',
      3: 'Duplicate user: the username CAROL is already on line 2',
      4: 'Duplicate user: the email address Carol@X.test is already on line 2',
      5: 'The username taken is already in use. Choose another one.',
      6: 'The email address TAKEN@example.test already belongs to another user. Use another one.',
      7: 'There is no team green',
      8: expect.stringMatching(/^A username has .*; A nickname has .*; This is not a valid email address/) as string,
      9: 'The line has a cell that has no heading in the header line',
      10: expect.stringMatching(/^A username has /) as string,
    })
  }
  expect(await count()).toBe(before)
  const inChinese = await send(text, { check: true, lang: 'zh' })
  expect(inChinese.data.rows[1]?.problem).toBe('导入的用户数据重复：用户名 CAROL 已出现在第 2 行')
})

test('a file in Windows-1252 creates users with the right names, and one that could also be Chinese creates nobody until an encoding is chosen', async () => {
  const bytes = (name: string) => Buffer.from(`${heading}latin,${name},latin@x.test,\n`, 'latin1')
  const { data } = await send(bytes('J\u00fcrgen'), { check: true })
  expect(data.rows).toMatchObject([{ nickname: 'Jürgen', problem: '' }])

  const before = await count()
  for (const check of [true, false]) {
    const response = await send(bytes('\u00c9a'), { check })
    expect(response.data).toEqual({
      created: 0,
      rows: [],
      unsure: [
        { encoding: 'gbk', preview: ['latin,蒩,latin@x.test,'] },
        { encoding: 'windows-1252', preview: ['latin,Éa,latin@x.test,'] },
      ],
    })
  }
  expect(await count()).toBe(before)
  const chosen = await send(bytes('\u00c9a'), { encoding: 'windows-1252' })
  expect(chosen.data).toMatchObject({ created: 1, rows: [{ nickname: 'Éa' }] })
})

test.each(['Ha\nHa', 'Ha\tHa', 'Ha\u2028Ha', 'Ha\u0007Ha'])(
  'a nickname with a line break or control character is refused: %j',
  async (nickname) => {
    const { data } = await send(`${heading}lines,"${nickname}",lines@x.test,\n`)
    expect(data).toMatchObject({
      created: 0,
      rows: [{ problem: expect.stringMatching(/one line|invisible/) as string }],
    })
  },
)

test('of two concurrent imports of the same names one creates all users, the other none', async () => {
  const text = heading + Array.from({ length: 5 }, (_, at) => `twin-${at},Twin,twin-${at}@x.test,blue\n`).join('')
  const done = await Promise.all([send(text), send(text)])
  expect(done.map(({ data }) => data.created).sort()).toEqual([0, 5])
  const loser = done.find(({ data }) => data.created === 0)
  expect(loser?.data.rows.every(({ problem }) => /already in use/.test(problem))).toBe(true)
})

test('a file that is too large or no such table is refused', async () => {
  expect(await send(heading + 'a'.repeat(1024 * 1024))).toMatchObject({ code: 413 })
  expect(await send(heading + 'a\n'.repeat(1_001))).toMatchObject({ code: 400, message: 'import-too-many' })
  expect(await send(Buffer.from('504b0304140000', 'hex'))).toMatchObject({ code: 400, message: 'import-encoding' })
  expect(await send('')).toMatchObject({ code: 400, message: 'import-heading' })
})

test('only administrators import', async () => {
  for (const by of [team.leader as TestCaller, await team.member(['team_member_create'])])
    expect(await send(`${heading}eve,Eve,eve@x.test,blue\n`, { by })).toMatchObject({
      code: 403,
      message: 'admin-only',
    })
})
