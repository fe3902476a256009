import { news } from '@gantry/contract/news/news'
import { expect, test } from 'vitest'
import { newUser, password } from './product.ts'
import { stories } from './story.ts'

/**
 * News are shown once. The product is new and has none, so news are put into the answer of the login here. Tests in
 * domains/news prove who sees them.
 */
stories('what is new', (suite, { language }) => {
  test('appears in one dialog, which stays closed, and can be read again in the manual', async () => {
    const { product, enter } = suite()
    const userName = `news-${language}`
    const { admin } = product
    const user = await newUser(product, userName, { teamId: admin.teams[0]?.id ?? 0 })
    const { version, notes } = await user.call(news.get)
    const story = await enter(userName, password)
    await story.page.context().route('**/api/users/refresh*', async (route) => {
      const response = await route.fetch()
      const envelope = (await response.json()) as { data: object }
      await route.fulfill({ response, json: { ...envelope, data: { ...envelope.data, news: version } } })
    })
    const { page, say, press, check } = await story.tab()
    await page.goto('/')
    const dialog = page.getByRole('dialog', { name: say('news-title', { version }) })
    await dialog.waitFor()
    expect(await dialog.getByRole('listitem').count()).toBe(notes.length)
    await check()
    const [manual] = await Promise.all([
      page.waitForEvent('popup'),
      press(dialog.getByRole('link', { name: say('shell-manual'), exact: true })),
    ])
    await manual.waitForURL(`**/document/${language}/changes.html`)
    await manual.close()
    await press(dialog.locator('.ant-modal-footer').getByRole('button', { name: say('ui-close'), exact: true }))
    await dialog.waitFor({ state: 'hidden' })
    await page.reload()
    await page.locator('main h1').first().waitFor()
    expect(await dialog.count()).toBe(0)
    await check()
    await story.end()
  })
})
