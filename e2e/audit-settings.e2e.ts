import { readFile } from 'node:fs/promises'
import { audit } from '@gantry/contract/audit/audit'
import { policy } from '@gantry/contract/auth/policy'
import { host } from '@gantry/contract/settings/host'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, describe, expect, test } from 'vitest'
import { license } from '@gantry/contract/settings/license'
import { labService } from '../apps/server/test/lab.ts'
import { makeIssuer, signLicense } from '../apps/server/src/domains/settings/license.ts'
import { stories, type Story } from './story.ts'

/** Settings of the whole installation are changed and refused, and the audit log shows who changed them. */

const lab = labService('smtp')

const issuer = makeIssuer()

const env = {
  GANTRY_LICENSE_KEY: issuer.x,
  GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8',
  GANTRY_SANDBOX: 'off',
  GANTRY_EMBEDDED_AGENT: 'off',
}

stories(
  'audit log and settings',
  (suite, { language }) => {
    const team = `team-${language}`
    let teamId = 0
    beforeAll(async () => {
      const { admin } = suite().product
      // removes what the story in the previous look left
      await admin.call(host.set, { body: { publicUrl: '', notice: '' } })
      const made = await admin.call(teams.create, { body: { name: team, description: 'Freight' } })
      teamId = made.id
      await admin.call(teams.update, { params: { id: teamId }, body: { name: team, description: 'Freight and mail' } })
      await admin.call(teams.update, { params: { id: teamId }, body: { name: '' } }).catch(() => undefined)
    })
    const parts = ({ page, say }: Story) => ({
      button: (text: string) => page.getByRole('button', { name: text, exact: true }),
      problem: (text: string) => page.locator('.ant-form-item-explain-error').getByText(text),
      saved: () =>
        page
          .locator('.g-toast')
          .filter({ hasText: say('save-success', { object: '' }).trim() })
          .last()
          .waitFor(),
    })

    test('the log is searched; a link keeps the search; an entry shows its changes; the CSV file is complete', async () => {
      const story = await suite().enter('admin')
      const { page, say, press, write, choose, field, check } = story
      const { button } = parts(story)
      const rows = page.getByRole('row').filter({ hasText: team })
      await page.goto(`/teams/${teamId}/audit-logs`)
      await rows.first().waitFor()
      await check()
      await write(page.getByRole('searchbox', { name: say('audit-ui-search') }), team)
      await page.keyboard.press('Enter')
      await choose(field(say('audit-ui-action')), say('audit-action-team.update'))
      await expect.poll(() => rows.count()).toBe(1)
      await choose(field(say('audit-ui-result')), say('audit-result-1'))
      await choose(field(say('audit-ui-time')), say('audit-ui-range-hour'))
      await expect.poll(() => rows.count()).toBe(1)
      await check()
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
        keyword: team,
        apiValue: 'team.update',
        result: '1',
        range: 'hour',
      })

      const link = await story.tab()
      await link.page.goto(page.url())
      await link.page.getByRole('row').filter({ hasText: team }).waitFor()
      expect(await link.page.getByRole('row').filter({ hasText: team }).count()).toBe(1)
      await link.press(link.page.getByRole('button', { name: link.say('audit-action-team.update'), exact: true }))
      const entry = link.page.getByRole('dialog')
      await entry.locator('del').getByText('Freight', { exact: true }).waitFor()
      await entry.locator('ins').getByText('Freight and mail', { exact: true }).waitFor()
      await link.check()
      await link.page.keyboard.press('Escape')
      await entry.waitFor({ state: 'hidden' })

      const [file] = await Promise.all([page.waitForEvent('download'), press(button(say('audit-ui-csv')))])
      const lines = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/)
      expect(lines).toHaveLength(2)
      expect(lines[1]).toContain(team)
      await story.end()
    })

    test('the login policy refuses values out of bounds, at their fields', async () => {
      const story = await suite().enter('admin')
      const { page, say, write, field, check } = story
      const { problem, saved } = parts(story)
      await page.goto('/sysconfig/common?tab=login')
      const days = field(say('auth-policy-days'))
      const retries = field(say('auth-policy-retries'))
      for (const [good, value, text] of [
        [false, '6', 'password-days'],
        [false, '731', 'password-days'],
        [true, '90', 'password-days'],
      ] as const) {
        await write(days, value)
        await page.keyboard.press('Enter')
        if (!good) await problem(say(text)).waitFor()
        else await saved()
        await check()
      }
      for (const value of ['2', '11']) {
        await write(retries, value)
        await page.keyboard.press('Enter')
        await problem(say('login-retries')).waitFor()
      }
      await check()
      await write(retries, '5')
      await page.keyboard.press('Enter')
      await problem(say('login-retries')).waitFor({ state: 'hidden' })
      const { admin } = suite().product
      await expect.poll(() => admin.call(policy.get)).toMatchObject({ passwordDays: 90, retries: 5 })
      await story.end()
    })

    test('the notice is shown on the login page, and the audit retention is saved', async () => {
      const { product, enter, open } = suite()
      const notice = language === 'en' ? 'Closed on Sunday from 2 to 4' : '周日两点至四点停机维护'
      const story = await enter('admin')
      const { page, say, press, write, field, check } = story
      const { button, problem, saved } = parts(story)
      await page.goto('/sysconfig/common?tab=host')
      await press(button(say('settings-ui-host-check')))
      await page.getByText(say('settings-ui-host-reachable')).waitFor()
      await write(field(say('settings-ui-host-url')), 'gantry')
      await press(button(say('ui-save')))
      await problem(say('url-format')).waitFor()
      await check()
      await write(field(say('settings-ui-host-url')), '')
      await write(field(say('settings-ui-host-notice')), notice)
      const again = page.waitForEvent('load')
      await press(button(say('ui-save')))
      await page.getByText(say('settings-ui-host-reloads')).waitFor()
      await again
      await page.getByText(notice).waitFor()
      expect(await product.admin.call(host.get)).toMatchObject({ publicUrl: '', notice })
      const visitor = await open()
      await visitor.page.goto('/login')
      await visitor.page.getByText(notice).waitFor()
      await visitor.check()
      await visitor.end()

      await page.goto('/sysconfig/common?tab=audit')
      await write(field(say('audit-ui-retention')), '29')
      await page.keyboard.press('Enter')
      await problem(say('audit-days')).waitFor()
      await check()
      await write(field(say('audit-ui-retention')), '400')
      await page.keyboard.press('Enter')
      await saved()
      expect(await product.admin.call(audit.retention)).toEqual({ days: 400 })
      await story.end()
    })

    test('a license is entered; shortly before and after its end everyone is reminded, and nothing stops working', async () => {
      const { admin } = suite().product
      const story = await suite().enter('admin')
      const { page, say, press, write, field, check } = story
      const { button, problem, saved } = parts(story)
      const signed = (ms: number) =>
        signLicense(issuer.pem, {
          holder: 'Example Ltd',
          issuedAt: new Date(Date.now() - 60_000).toISOString(),
          expiredAt: new Date(Date.now() + ms).toISOString(),
        })
      await page.goto('/sysconfig/common?tab=license')
      await page.getByText(say('license-ui-none')).waitFor()
      await check()
      const text = field(say('license-ui-text'))
      await write(text, 'hello')
      await press(button(say('ui-save')))
      await problem(say('license-malformed'))
        .or(page.getByText(say('license-malformed')))
        .first()
        .waitFor()
      await check()
      await write(text, signed(9 * 24 * 3_600_000))
      await press(button(say('ui-save')))
      await saved()
      await page.getByText('Example Ltd', { exact: true }).waitFor()
      const [before = ''] = say('license-expiring', { time: '\n' }).split('\n')
      const banner = page.getByRole('status').filter({ hasText: before.trim() })
      await banner.getByRole('link', { name: say('route-sys-common'), exact: true }).waitFor()
      await check()

      await admin.call(license.set, { body: { license: signed(3_000) } })
      await expect.poll(async () => (await admin.call(license.status)).expired, { timeout: 20_000 }).toBe(true)
      const later = await suite().enter('admin')
      await later.page.getByText(later.say('license-expired')).waitFor()
      await later.check()
      await admin.call(license.set, { body: { license: '' } })
      await later.end()
      await story.end(/\/api\/system\/license$/)
    })

    describe.skipIf(lab === undefined)(`with a real mail server${lab ? '' : ' (skipped: there is no lab)'}`, () => {
      test('a test mail arrives before anything is saved; a wrong password is reported', async () => {
        const to = `ada-${process.pid}-${language}@example.org`
        const server = `${lab?.['SMTP_HOST']}:${lab?.['SMTP_PORT']}`
        const story = await suite().enter('admin')
        const { page, say, press, write, choose, field, check } = story
        const { button, problem, saved } = parts(story)
        await page.goto('/sysconfig/common')
        await write(field(say('settings-ui-mail-host')), 'mail/host')
        await press(button(say('ui-save')))
        await problem(say('mail-host')).waitFor()
        await check()
        await write(field(say('settings-ui-mail-host')), lab?.['SMTP_HOST'] ?? '')
        await write(field(say('settings-ui-mail-port')), lab?.['SMTP_PORT'] ?? '')
        await choose(field(say('settings-ui-mail-security')), say('settings-ui-mail-security-none'))
        await write(field(say('settings-ui-mail-user')), lab?.['SMTP_USER'] ?? '')
        await write(field(say('settings-ui-mail-password')), 'not-the-password')
        await write(field(say('settings-ui-mail-from')), 'gantry@example.org')
        await write(field(say('settings-ui-mail-test-to')), to)
        await page.keyboard.press('Enter')
        await page.getByText(say('mail-wrong-password', { host: server, answer: '' }).split(/[.。]/)[0] ?? '').waitFor()
        await write(field(say('settings-ui-mail-password')), lab?.['SMTP_PASSWORD'] ?? '')
        await press(button(say('settings-ui-mail-test')))
        await page.getByText(say('settings-ui-mail-test-sent', { to })).waitFor()
        await check()
        const mails = async () => {
          const all = (await (await fetch(lab?.['SMTP_MESSAGES_URL'] ?? '')).json()) as {
            to: string[]
            subject: string
          }[]
          return all.filter((one) => one.to.includes(to)).map(({ subject }) => subject)
        }
        expect(await mails()).toEqual([say('mail-test-subject', { product: 'Gantry' })])
        await press(button(say('ui-save')))
        await saved()
        await page.reload()
        await field(say('settings-ui-mail-host')).waitFor()
        expect(await field(say('settings-ui-mail-user')).inputValue()).toBe(lab?.['SMTP_USER'])
        await check()
        await story.end(/\/api\/system\/mailserver\/test/)
      })
    })
  },
  env,
)
