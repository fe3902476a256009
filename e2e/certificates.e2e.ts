import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, expect, test } from 'vitest'
import { certificates as pairs } from '../apps/server/test/certificates.ts'
import { stories } from './story.ts'

/** A certificate of an administrator, and its domains, which belong to teams. */
stories('certificates', (suite, { language }) => {
  const team = `cert-${language}`
  const name = `shop-${language}`
  const [first, second] = pairs
  beforeAll(async () => {
    await suite().product.admin.call(teams.create, { body: { name: team } })
  })

  test('a certificate is added, allocated to a team with a domain, replaced and deleted', async () => {
    const story = await suite().enter('admin')
    const { page, say, press, pick, write, find, field, check } = story
    const button = (text: string) => page.getByRole('button', { name: text, exact: true })
    const dialog = page.getByRole('dialog')
    const inDialog = (text: string) => dialog.getByRole('button', { name: text, exact: true })
    const domain = `${name}.example.com`

    await page.goto('/sysconfig/certificates')
    await press(button(say('certificates-ui-add')).first())
    await write(field(say('certificates-ui-name')), name)
    await write(field(say('certificates-ui-certificate')), first.certificate)
    await write(field(say('certificates-ui-key')), second.key)
    await press(button(say('certificates-ui-add')).last())
    await page.getByText(say('certificates-key-other')).first().waitFor()
    await check()
    await write(field(say('certificates-ui-key')), first.key)
    await press(button(say('certificates-ui-add')).last())
    const menu = button(say('ui-actions-of', { name }))
    await menu.waitFor()
    await page.getByText(say('certificates-ui-teams-none'), { exact: true }).first().waitFor()
    await check()

    await pick(menu, say('certificates-ui-assign'))
    await find(dialog.getByRole('combobox'), team)
    await check()
    await press(inDialog(say('ui-save')))
    await dialog.waitFor({ state: 'hidden' })

    await press(page.getByRole('link', { name, exact: true }).first())
    await press(button(say('domains-ui-add')).first())
    await write(field(say('domains-ui-domain')), `${domain.toUpperCase()}.`)
    await find(dialog.getByRole('combobox'), team)
    await check()
    await press(inDialog(say('domains-ui-add')))
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText(domain, { exact: true }).first().waitFor()
    await check()

    await page.goto('/sysconfig/certificates')
    await pick(menu, say('certificates-ui-renew'))
    await button(say('certificates-ui-renew')).waitFor()
    await write(field(say('certificates-ui-certificate')), second.certificate)
    await write(field(say('certificates-ui-key')), second.key)
    await check()
    await press(button(say('certificates-ui-renew')))
    await menu.waitFor()

    await pick(menu, say('ui-delete'))
    await dialog.getByText(say('certificates-ui-goes-domains', { count: 1 })).waitFor()
    await check()
    await press(inDialog(say('ui-delete')))
    await expect.poll(() => page.getByText(name, { exact: true }).count()).toBe(0)
    await story.end(/resource-manager\/api\/certificates/)
  })
})
