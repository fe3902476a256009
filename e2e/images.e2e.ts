import type { AddressInfo } from 'node:net'
import { registries } from '@gantry/contract/images/registries'
import { teams } from '@gantry/contract/teams/teams'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { imageRegistry } from '../apps/server/test/image-registry.ts'
import { stories } from './story.ts'

/** A team finds images in its registries, inspects them, and cleans up. */
stories(
  'images',
  (suite, { language }) => {
    const unused = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`0.${at + 1}`, `old ${at}`]))
    const listed = imageRegistry(
      { 'shop/web': { '1.9': 'nine', '1.10': 'ten', latest: 'ten' }, 'shop/old': unused },
      { createdAt: '2020-01-02T03:04:05Z' },
    )
    const closed = imageRegistry({ 'team/hidden': { '1': 'one' } }, { catalogue: false })
    let teamId = 0
    beforeAll(async () => {
      const { admin } = suite().product
      teamId = (await admin.call(teams.create, { body: { name: `images-${language}` } })).id
      for (const [name, server] of [
        [`listed-${language}`, listed],
        [`closed-${language}`, closed],
      ] as const) {
        await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        await admin.call(registries.create, { params: { teamId }, body: { name, url } })
      }
    })
    afterAll(() => {
      listed.close()
      closed.close()
    })

    test('a team finds an image, sees how it was made, and deletes it with its tags', async () => {
      const story = await suite().enter('admin')
      const { page, say, press, pick, write, check } = story
      const button = (text: string) => page.getByRole('button', { name: text, exact: true })
      const inDialog = (text: string) => page.getByRole('dialog').getByRole('button', { name: text, exact: true })
      await page.goto(`/teams/${teamId}/registries/thirdpart`)
      await press(page.getByRole('link', { name: `listed-${language}` }).first())
      await page.getByRole('link', { name: 'shop/old' }).first().waitFor()
      await write(page.getByLabel(say('images-ui-repos-search')), 'web')
      await expect.poll(() => page.getByRole('link', { name: 'shop/old' }).count()).toBe(0)
      await check()
      await press(page.getByRole('link', { name: 'shop/web' }).first())
      await button('latest').first().waitFor()
      await check()

      await press(button('1.10').first())
      await page.getByText('COPY app /').first().waitFor()
      await page.getByText(say('images-ui-uses-none')).waitFor()
      await check()
      await page.keyboard.press('Escape')

      await pick(button(say('ui-actions-of', { name: '1.10' })), say('ui-delete'))
      await page.getByText(say('images-ui-tags-delete-with', { tag: '1.10' })).waitFor()
      await check()
      await press(inDialog(say('ui-delete')))
      await page
        .getByText(say('images-ui-tags-deleted', { count: 2 }))
        .first()
        .waitFor()
      await expect.poll(() => button('latest').count()).toBe(0)
      expect(await button('1.9').count()).toBeGreaterThan(0)
      await story.end()
    })

    test('unused tags are searched for, displayed, and deleted together', async () => {
      const story = await suite().enter('admin')
      const { page, say, press, check } = story
      const inDialog = (text: string) => page.getByRole('dialog').getByRole('button', { name: text, exact: true })
      await page.goto(`/teams/${teamId}/registries/thirdpart/repos`)
      await press(page.getByRole('link', { name: 'shop/old' }).first())
      await press(page.getByRole('button', { name: say('images-ui-unused'), exact: true }))
      await press(inDialog(say('images-ui-unused-look')))
      await page.getByText(say('images-ui-unused-looking', { looked: 12, total: 12, found: 12 })).waitFor()
      await check()
      await press(inDialog(say('images-ui-tags-delete')))
      await page.getByText(say('images-ui-tags-delete-goes', { count: 12 })).waitFor()
      await check()
      await press(inDialog(say('ui-delete')))
      await page.getByText(say('images-ui-tags-none'), { exact: true }).waitFor()
      await check()
      await story.end()
    })

    test('a repository of a registry without a list is opened by its name', async () => {
      const story = await suite().enter('admin')
      const { page, say, press, write, field, check } = story
      await page.goto(`/teams/${teamId}/registries/thirdpart`)
      await press(page.getByRole('link', { name: `closed-${language}` }).first())
      await page.getByText(say('images-ui-unread', { name: `closed-${language}` })).waitFor()
      await check()
      await press(page.getByRole('button', { name: say('images-ui-by-name'), exact: true }))
      await write(field(say('images-ui-repository')), 'Team/Hidden')
      await check()
      await press(page.getByRole('button', { name: say('images-ui-by-name-open'), exact: true }))
      await page.getByText(say('image-repository-invalid')).waitFor()
      await write(field(say('images-ui-repository')), 'team/hidden')
      await press(page.getByRole('button', { name: say('images-ui-by-name-open'), exact: true }))
      await page.getByRole('heading', { name: 'team/hidden' }).waitFor()
      await page.getByRole('button', { name: '1', exact: true }).first().waitFor()
      await check()
      await story.end()
    })
  },
  { GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8', GANTRY_SANDBOX: 'off', GANTRY_EMBEDDED_AGENT: 'off' },
)
