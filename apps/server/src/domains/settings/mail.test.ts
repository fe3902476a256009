import { mail, type MailSettings } from '@gantry/contract/settings/mail'
import { teams } from '@gantry/contract/teams/teams'
import { users } from '@gantry/contract/users/users'
import { mask } from '@gantry/contract/validators'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { testApp } from '../../../test/test-app.ts'
import type { MailMessage, MailServer } from '../../adapters/smtp/smtp.ts'
import { inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { letter } from './letter.ts'
import { deliverDue } from './outbox.service.ts'
import { sendMail, sendMailToAdministrators } from './public.ts'

const sent: (MailMessage & { server: MailServer })[] = []
let problem: Fault | undefined
let whileSending = () => {}
const app = await testApp({
  onlyDomains: ['auth', 'users', 'teams', 'settings'],
  ports: {
    mail: {
      send: async (server, message) => {
        whileSending()
        if (problem) throw problem
        sent.push({ ...message, server })
      },
    },
  },
})
const team = await app.team()

const settings: MailSettings = {
  enabled: true,
  host: 'smtp.example.test',
  port: 587,
  security: 'starttls',
  userName: 'mailer',
  password: 'mailer-secret',
  from: 'gantry@example.test',
  fromName: 'Gantry',
  lang: 'en',
}
const save = (more: Partial<MailSettings> = {}) => app.admin.call(mail.set, { body: { ...settings, ...more } })
const outbox = () => app.admin.call(mail.outbox)
const due = () => sql`update mail_outbox set next_at = now()`.execute(app.db)
const order = (key: string) => ({
  to: team.leader.id,
  template: 'added-to-team' as const,
  vars: { team: 'shop', by: 'Ann' },
  key,
})

beforeEach(async () => {
  sent.length = 0
  problem = undefined
  whileSending = () => {}
  await save()
  await sql`delete from mail_outbox`.execute(app.db)
})

test('the password is stored encrypted and returned as a mask, and without settings null is returned', async () => {
  await sql`delete from setting where name = 'mail'`.execute(app.db)
  expect(await app.admin.call(mail.get)).toBeNull()
  expect(await save()).toMatchObject({ password: mask, host: settings.host })
  expect(await app.admin.call(mail.get)).toMatchObject({ password: mask })
  const { rows } = await sql<{ text: string }>`select value::text as text from setting`.execute(app.db)
  expect(rows.map((row) => row.text).join()).not.toContain(settings.password)
})

test.for([
  ['host', { host: 'other.example.test' }],
  ['port', { port: 25 }],
  ['user', { userName: 'other' }],
] as const)('the masked password does not follow to another %s', async ([, other]) => {
  expect(await save({ password: mask, from: 'new@example.test' })).toMatchObject({ password: mask })
  const body = { ...settings, ...other, password: mask }
  await expect(app.admin.call(mail.set, { body })).rejects.toMatchObject({ status: 400, key: 'mail-password-again' })
  await expect(app.admin.call(mail.test, { query: { mail: 'a@example.test' }, body })).rejects.toMatchObject({
    status: 400,
    key: 'mail-password-again',
  })
  expect(sent).toEqual([])
})

test('a test is sent at once, with the stored password if it is masked', async () => {
  await app.admin.call(mail.test, { query: { mail: 'ann@example.test' }, body: { ...settings, password: mask } })
  expect(sent).toMatchObject([
    { to: 'ann@example.test', subject: 'Gantry: test email', server: { password: 'mailer-secret' } },
  ])
})

test.for([
  'a@b.test\r\nBcc: x@b.test',
  'a@b.test%0d%0aBcc:x',
  Array.from({ length: 1_000 }, (_, n) => `u${n}@b.test`).join(','),
  'a@b.test, c@b.test',
  'Ann <a@b.test>',
  '"a"@b.test',
  `${'a'.repeat(250)}@b.test`,
])('%# is refused as the address of a test', async (to) => {
  await expect(app.admin.call(mail.test, { query: { mail: to }, body: settings })).rejects.toMatchObject({
    status: 400,
  })
  expect(sent).toEqual([])
})

test.for([
  { from: 'a@b.test\r\nBcc: x@b.test' },
  { fromName: 'Ann\r\nBcc: x@b.test' },
  { fromName: 'Ann <x@b.test>' },
  { host: 'http://smtp.example.test' },
  { host: 'smtp.example.test/path' },
  { host: 'a b' },
  { port: 0 },
  { port: 65_536 },
] as const)('settings %j are refused', async (wrong) => {
  await expect(save(wrong as Partial<MailSettings>)).rejects.toMatchObject({ status: 400 })
})

test('mail is for administrators', async () => {
  for (const call of [
    () => team.leader.call(mail.get),
    () => team.leader.call(mail.outbox),
    () => team.leader.call(mail.set, { body: settings }),
    () => team.leader.call(mail.test, { query: { mail: 'a@b.test' }, body: settings }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 403 })
})

test('a mail is sent if, and only if, its transaction commits, and once per key', async () => {
  const undone = inTx(app.ctx(), async (ctx) => {
    await sendMail(ctx, order('undone'))
    throw new Error('rolled back')
  })
  await expect(undone).rejects.toThrow('rolled back')
  for (let n = 0; n < 3; n++) await inTx(app.ctx(), (ctx) => sendMail(ctx, order('done')))
  expect(sent).toEqual([])
  await app.drainJobs()
  expect(sent).toMatchObject([
    { to: `${team.leader.name}@example.test`, subject: 'Gantry: you were added to the team shop' },
  ])
  expect(await outbox()).toMatchObject([{ state: 'sent', attempts: 1, problem: '' }])
})

test('while the server is down nobody waits, the mail is retried at growing intervals, and the reason is shown', async () => {
  problem = new Fault('badGateway', 'outbound-unreachable', { host: 'smtp.example.test' })
  await inTx(app.ctx(), (ctx) => sendMail(ctx, order('later')))
  await app.drainJobs()
  expect(await outbox()).toMatchObject([
    { state: 'waiting', attempts: 1, problem: expect.stringContaining('smtp.example') },
  ])
  await app.drainJobs()
  expect(await outbox()).toMatchObject([{ attempts: 1 }])
  const pause = async () => {
    const { rows } = await sql<{
      s: number
    }>`select round(extract(epoch from next_at - now()))::int as s from mail_outbox`.execute(app.db)
    return rows[0]?.s ?? 0
  }
  const first = await pause()
  await due()
  await inTx(app.ctx(), (ctx) => sendMail(ctx, order('wakes the outbox')))
  await app.drainJobs()
  expect(await pause()).toBeGreaterThan(first)
  problem = undefined
  await due()
  await inTx(app.ctx(), (ctx) => sendMail(ctx, order('wakes it again')))
  await app.drainJobs()
  expect((await outbox()).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent'])
  expect(sent).toHaveLength(3)
})

test('a mail is given up after a day', async () => {
  problem = new Fault('badGateway', 'mail-wrong-password', { host: 'smtp.example.test', answer: '535' })
  await inTx(app.ctx(), (ctx) => sendMail(ctx, order('old')))
  await sql`update mail_outbox set created_at = now() - interval '25 hours'`.execute(app.db)
  await app.drainJobs()
  expect(await outbox()).toMatchObject([{ state: 'failed', problem: expect.stringContaining('535') }])
})

test('a mail that the server refuses permanently is not retried', async () => {
  problem = new Fault('badGateway', 'mail-recipient-refused', { host: 'h', to: 'x', answer: '550 no such user' })
  await inTx(app.ctx(), (ctx) => sendMail(ctx, order('refused')))
  await app.drainJobs()
  expect(await outbox()).toMatchObject([{ state: 'failed', attempts: 1 }])
})

test('an attempt that a stopping server aborts does not count as a problem of the mail', async () => {
  await inTx(app.ctx(), (ctx) => sendMail(ctx, order('cut off')))
  const ended = new AbortController()
  whileSending = () => ended.abort()
  problem = new Fault('badGateway', 'mail-recipient-refused', { host: 'h', to: 'x', answer: '' })
  await deliverDue({ ...app.ctx(), signal: ended.signal })
  expect(await outbox()).toMatchObject([{ state: 'waiting', problem: '' }])
})

test('while mail is off, nothing is written', async () => {
  await save({ enabled: false })
  await inTx(app.ctx(), (ctx) => sendMail(ctx, order('off')))
  expect(await outbox()).toEqual([])
})

test('two concurrent deliveries send each mail once', async () => {
  for (let n = 0; n < 20; n++) await inTx(app.ctx(), (ctx) => sendMail(ctx, order(`many ${n}`)))
  await Promise.all([deliverDue(app.ctx()), deliverDue(app.ctx()), deliverDue(app.ctx())])
  expect(sent).toHaveLength(20)
})

test('a mail is in the language of its reader, else in that of the settings', async () => {
  await save({ lang: 'zh' })
  await inTx(app.ctx(), (ctx) => sendMail(ctx, order('zh')))
  await sql`update account set setting = '{"lang": "en"}' where id = ${team.leader.id}`.execute(app.db)
  await inTx(app.ctx(), (ctx) => sendMail(ctx, order('en')))
  await app.drainJobs()
  expect(sent.map(({ subject }) => subject)).toEqual([
    'Gantry：您已加入团队 shop',
    'Gantry: you were added to the team shop',
  ])
})

test('administrators are notified of a registration', async () => {
  const vars = { userName: 'new', email: 'new@example.test' }
  await inTx(app.ctx(), (ctx) =>
    sendMailToAdministrators(ctx, { template: 'registered', vars, key: 'new', path: '/sysconfig/users' }),
  )
  await app.drainJobs()
  expect(sent).toMatchObject([{ to: 'admin@example.test', text: expect.stringContaining('/sysconfig/users') }])
})

test('a user whose password expires within a week is notified once', async () => {
  await sql`update account set password_changed_at = now() - interval '175 days' where id = ${team.leader.id}`.execute(
    app.db,
  )
  const { warnOfOldPasswords } = await import('../auth/password/password-warning.service.ts')
  for (let n = 0; n < 2; n++) await warnOfOldPasswords(app.ctx())
  await app.drainJobs()
  expect(sent.map(({ text }) => text)).toEqual([expect.stringContaining('expires in 5 days')])
})

test('names that users chose add neither lines nor markup', () => {
  const vars = {
    product: 'G',
    name: 'a\r\n\r\nhttps://evil.test',
    link: 'https://x.test/',
    team: '<img src=x>',
    by: 'b\u2028c',
  }
  for (const lang of ['en', 'zh'] as const) {
    const { subject, text, html } = letter('added-to-team', lang, vars)
    expect(subject).not.toMatch(/[\r\n]/)
    expect(text).not.toMatch(/^https:\/\/evil/m)
    expect(html).not.toContain('<img')
    expect(html).toContain('<a href="https://x.test/">')
  }
})

test('users are notified when they are created, approved, banned, added or registered', async () => {
  const made = await app.admin.call(users.create, {
    body: { userName: 'made', nickname: 'Made', email: 'made@example.test', teamId: team.id },
  })
  await app.admin.call(users.approve, { params: { id: made.id }, query: { enable: 'false' } })
  const member = await app.user()
  await app.admin.call(teams.addMembers, { params: { id: team.id }, body: [member.id] })
  await app.drainJobs()
  expect(sent.map(({ to, subject }) => `${to} ${subject}`)).toEqual([
    'made@example.test Gantry: your account',
    'made@example.test Gantry: your account was blocked',
    `${member.name}@example.test Gantry: you were added to the team ${team.name}`,
  ])
  for (const { text } of sent) expect(text).not.toContain(made.initialPassword)
})
