import { ldap } from '@gantry/contract/ldap/ldap'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, describe, expect, test } from 'vitest'
import { labService } from '../apps/server/test/lab.ts'
import { stories, type Story } from './story.ts'

/** A company's directory is tested and added, users are imported or log in, and groups become members. */

const lab = labService('ldap')
const loginCall = /\/api\/users\/login/
const validateCall = /\/api\/v2\/ldaps\/validate/

describe.skipIf(lab === undefined)(`with a real directory${lab ? '' : ' (skipped: there is no lab)'}`, () => {
  const given = (key: string): string => lab?.[key] ?? ''
  const directory = {
    url: given('LDAP_URL'),
    bindDn: given('LDAP_BIND_DN'),
    bindPassword: given('LDAP_BIND_PASSWORD'),
    baseDn: given('LDAP_USER_BASE'),
    groupBaseDn: given('LDAP_GROUP_BASE'),
  }
  const developers = `cn=developers,${directory.groupBaseDn}`
  const dnOf = (user: string) => `uid=${user},${directory.baseDn}`

  stories(
    'directories',
    (suite, { language }) => {
      const name = `Company ${language}`
      /** Members of the group `developers`; a different pair for each look, because the looks share the product. */
      const [one, other] = language === 'en' ? (['u11', 'u12'] as const) : (['u13', 'u14'] as const)
      let teamId = 0
      beforeAll(async () => {
        ;({ id: teamId } = await suite().product.admin.call(teams.create, { body: { name: `team-${language}` } }))
      })

      test('an administrator tests a directory, adds it, and imports users', async () => {
        const { product, enter } = suite()
        const story = await enter('admin')
        const { page, say, press, tick, write, choose, pick, field, check } = story
        const button = (text: string) => page.getByRole('button', { name: text, exact: true })
        await page.goto('/sysconfig/ldap')
        await button(say('ldap-ui-add')).first().waitFor()
        await check()
        await press(button(say('ldap-ui-add')).first())
        await write(field(say('ldap-ui-name')), name)
        await write(field(say('ldap-ui-url')), directory.url)
        await tick(field(say('ldap-ui-start-tls')))
        await write(field(say('ldap-ui-bind-dn')), directory.bindDn)
        await write(field(say('ldap-ui-bind-password')), 'not-the-password')
        await write(field(say('ldap-ui-base-dn')), directory.baseDn)
        await write(field(say('ldap-ui-group-base')), directory.groupBaseDn)
        await press(button(say('ldap-ui-test')))
        const host = new URL(directory.url).host
        await page.getByText(say('ldap-bind-refused', { host, what: directory.bindDn })).waitFor()
        await check()

        await write(field(say('ldap-ui-bind-password')), directory.bindPassword)
        await press(button(say('teams-ui-mapping-add')))
        await write(field(say('ldap-ui-group')), developers)
        await choose(field(say('teams-ui-mapping-team')), `team-${language}`)
        await press(button(say('ldap-ui-test')))
        await page.getByText(say('ldap-ui-test-fine')).waitFor()
        await page.getByText(dnOf('u01'), { exact: true }).waitFor()
        const found = page.getByRole('group', { name: say('ldap-ui-test') })
        expect(await found.innerText()).toMatch(new RegExp(`${say('ldap-ui-test-users')}\\s+30\\s`))
        expect(await found.innerText()).toMatch(new RegExp(`${say('ldap-ui-test-groups')}\\s+3\\s`))
        await check()
        await press(button(say('ui-save')))
        await page.getByRole('link', { name }).waitFor()
        await check()

        await pick(button(say('ui-actions-of', { name })), say('ldap-ui-import'))
        const dialog = page.getByRole('dialog')
        const chosen = (user: string) => dialog.getByLabel(say('ldap-ui-import-pick', { name: user }), { exact: true })
        await chosen('u01').waitFor()
        await check()
        await write(dialog.getByRole('searchbox'), 'u1')
        await page.keyboard.press('Enter')
        await chosen('u01').waitFor({ state: 'hidden' })
        await tick(chosen(one))
        await tick(chosen(other))
        // meanwhile another administrator imports one of them
        const [server] = (await product.admin.call(ldap.list)).filter((s) => s.name === name)
        await product.admin.call(ldap.importEntries, { params: { id: server?.id ?? 0 }, body: [{ dn: dnOf(other) }] })
        await press(dialog.getByRole('button', { name: say('ldap-ui-import-chosen', { count: 2 }) }))
        await dialog.getByText(say('ldap-ui-import-done', { created: 1, count: 2 })).waitFor()
        const rowOf = (user: string) => dialog.getByRole('row').filter({ hasText: dnOf(user) })
        await rowOf(one).getByText(say('ldap-ui-result-created')).waitFor()
        await rowOf(other).getByText(say('ldap-ui-result-duplicate')).waitFor()
        await check()
        await press(dialog.getByRole('button', { name: say('ui-close') }).last())
        await dialog.waitFor({ state: 'hidden' })
        await story.end(validateCall)
      })

      test('a user of the directory logs in with its password, into the team of the group', async () => {
        const { product, open } = suite()
        // a second directory, in which only imported users may log in
        const body = { name: `Outpost ${language}`, ...directory, createAtLogin: false }
        await product.admin.call(ldap.create, { body })
        const story = await open()
        const { page, say, reach, write, check } = story
        await page.goto('/login')
        await reach(page.getByRole('tab', { name: say('auth-tab-username') }))
        await page.keyboard.press('ArrowRight')
        const refused = page.getByRole('alert').filter({ visible: true })
        const server = page.getByLabel(say('auth-ldap-server'))
        const into = (text: string) => pickServer(story, text)
        await server.waitFor()
        await check()

        await into(body.name)
        await write(page.getByLabel(say('auth-username')), one)
        await write(page.getByLabel(say('auth-password'), { exact: true }), `pass-${one}`)
        await page.keyboard.press('Enter')
        await refused.getByText(say('login-not-imported')).waitFor()
        await check()
        await into(name)
        await write(page.getByLabel(say('auth-password'), { exact: true }), 'not-the-password')
        await page.keyboard.press('Enter')
        await refused.getByText(say('login-refused')).waitFor()
        await check()
        await write(page.getByLabel(say('auth-password'), { exact: true }), `pass-${one}`)
        await page.keyboard.press('Enter')
        await page.waitForURL(`**/teams/${teamId}/dashboard`)
        await page
          .getByRole('button', {
            name: say('shell-user-menu', { name: language === 'en' ? 'Boris User11' : 'Dana User13' }),
          })
          .waitFor()
        await page.getByRole('heading', { level: 1 }).waitFor()
        await check()
        await story.end(loginCall)
      })
    },
    { GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8', GANTRY_SANDBOX: 'off', GANTRY_EMBEDDED_AGENT: 'off' },
  )
})

/** Chooses a directory in the login page's native select element. */
async function pickServer({ page, say, reach }: Story, name: string): Promise<void> {
  const server = page.getByLabel(say('auth-ldap-server'))
  const selected = () => server.evaluate((box: HTMLSelectElement) => box.selectedOptions[0]?.text)
  await reach(server)
  await page.keyboard.press('Home')
  for (let left = await server.locator('option').count(); left > 1 && (await selected()) !== name; left -= 1)
    await page.keyboard.press('ArrowDown')
  expect(await selected()).toBe(name)
}
