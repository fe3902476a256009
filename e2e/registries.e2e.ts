import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { imageRegistry } from '../apps/server/test/image-registry.ts'
import { stories } from './story.ts'

/** A registry that an administrator adds for several teams, checks and removes. */
stories(
  'registries of the platform',
  (suite, { language }) => {
    const name = `shared-${language}`
    const registry = imageRegistry({ 'shop/web': { '1.0': 'one' } })
    beforeAll(() => new Promise<void>((resolve) => void registry.listen(0, '127.0.0.1', resolve)))
    afterAll(() => registry.close())

    test('a registry of the platform is added, offered to teams and removed', async () => {
      const story = await suite().enter('admin')
      const { page, say, press, pick, write, field, check } = story
      const button = (text: string) => page.getByRole('button', { name: text, exact: true })
      const inDialog = (text: string) => page.getByRole('dialog').getByRole('button', { name: text, exact: true })
      await page.goto('/sysconfig/registry/index')
      await press(button(say('images-ui-add')).first())
      await write(field(say('images-ui-name')), name)
      await write(field(say('images-ui-url')), 'http://127.0.0.1:1')
      await press(inDialog(say('images-ui-verify')))
      await page.getByText(say('outbound-unreachable', { host: '127.0.0.1:1' })).waitFor()
      await check()
      await write(field(say('images-ui-url')), `http://127.0.0.1:${(registry.address() as AddressInfo).port}`)
      await press(inDialog(say('images-ui-verify')))
      await page.getByText(say('check-success'), { exact: true }).waitFor()
      await check()
      await press(inDialog(say('images-ui-add')))
      const menu = button(say('ui-actions-of', { name }))
      await menu.waitFor()
      await page.getByText(say('images-ui-teams-none'), { exact: true }).first().waitFor()
      await check()

      await press(page.getByRole('link', { name, exact: true }).first())
      await press(page.getByRole('link', { name: 'shop/web', exact: true }).first())
      await page.getByText('1.0', { exact: true }).first().waitFor()
      await check()
      await page.goto('/sysconfig/registry/index')
      await menu.waitFor()

      await pick(menu, say('images-ui-verify'))
      await page.getByText(`${name}: ${say('check-success')}`).waitFor()
      await pick(menu, say('images-ui-assign'))
      await page.getByText(say('images-ui-teams-of', { name })).waitFor()
      await check()
      await press(inDialog(say('ui-cancel')))

      await pick(menu, say('ui-delete'))
      await press(inDialog(say('ui-delete')))
      await expect.poll(() => page.getByText(name, { exact: true }).count()).toBe(0)
      await story.end(/\/api\/registries\/verification/)
    })
  },
  { GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8' },
)
