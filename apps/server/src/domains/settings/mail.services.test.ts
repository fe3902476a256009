import { mail } from '@gantry/contract/settings/mail'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { labService } from '../../../test/lab.ts'
import { testApp } from '../../../test/test-app.ts'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { createMail } from '../../adapters/smtp/smtp.ts'
import { inTx } from '../../kernel/context.ts'
import { sendMail } from './public.ts'

const lab = labService('smtp')

describe.skipIf(lab === undefined)('the outbox and a real mail server (needs the lab: GANTRY_LAB)', async () => {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  afterAll(() => outbound.close())
  const app = await testApp({
    onlyDomains: ['auth', 'users', 'teams', 'settings'],
    ports: { mail: createMail(outbound) },
  })
  const reader = await app.user({ name: 'reader-f26' })
  const url = lab?.['SMTP_MESSAGES_URL'] ?? ''
  const arrived = async (): Promise<{ subject: string; text: string }[]> => {
    const all = (await (await fetch(url)).json()) as { to: string[]; subject: string; text: string }[]
    return all.filter(({ to }) => to.includes('reader-f26@example.test'))
  }
  const body = {
    enabled: true,
    host: lab?.['SMTP_HOST'] ?? '',
    port: Number(lab?.['SMTP_PORT'] ?? 1),
    security: 'none' as const,
    userName: lab?.['SMTP_USER'] ?? '',
    password: lab?.['SMTP_PASSWORD'] ?? '',
    from: 'gantry@example.test',
    fromName: '控制台',
    lang: 'zh' as const,
  }

  test('a mail written while the server was down arrives once, when it is back', async () => {
    await app.admin.call(mail.set, { body: { ...body, port: 1 } })
    const vars = { team: 'shop', by: 'Ann' }
    const order = { to: reader.id, template: 'added-to-team', vars, key: crypto.randomUUID() } as const
    for (let n = 0; n < 2; n++) await inTx(app.ctx(), (ctx) => sendMail(ctx, order))
    await app.drainJobs()
    expect(await app.admin.call(mail.outbox)).toMatchObject([{ state: 'waiting', attempts: 1 }])
    const before = (await arrived()).length
    await app.admin.call(mail.set, { body })
    await sql`update mail_outbox set next_at = now()`.execute(app.db)
    await inTx(app.ctx(), (ctx) => sendMail(ctx, { ...order, key: crypto.randomUUID() }))
    await app.drainJobs()
    expect((await app.admin.call(mail.outbox)).map(({ state }) => state)).toEqual(['sent', 'sent'])
    const mails = (await arrived()).slice(before)
    expect(mails.map(({ subject }) => subject)).toEqual(['Gantry：您已加入团队 shop', 'Gantry：您已加入团队 shop'])
  })
})
