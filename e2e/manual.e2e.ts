import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { axeFaults } from './browser.ts'
import { stories } from './story.ts'

/** The manual is served beside the console, with its own content security policy. */

const pages = readdirSync(join(import.meta.dirname, '../docs/manual/en')).map((file) => file.replace('index.html', ''))

stories('manual', (suite, { language }) => {
  test('opens in the reader’s language; every page is styled, fits the window and has no broken link', async () => {
    const { page, say, press, end } = await suite().open()
    await page.goto('/login')
    const link = page.getByRole('link', { name: say('auth-manual') })
    const [popup] = await Promise.all([page.waitForEvent('popup'), press(link)])
    await popup.waitForURL(`**/document/${language}/`)
    await popup.close()

    const links = new Set<string>()
    for (const name of pages) {
      await page.goto(`/document/${language}/${name}`)
      expect(await page.evaluate(() => document.fonts.ready.then(({ size }) => size))).toBe(2)
      const seen = await page.evaluate(() => ({
        language: document.documentElement.lang,
        font: document.fonts.check("15px 'Inter Variable'"),
        colour: getComputedStyle(document.body).backgroundColor,
        overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth),
        here: [...document.querySelectorAll<HTMLAnchorElement>('nav [aria-current=page]')].map(({ href }) => href),
      }))
      expect(seen).toEqual({
        language: language === 'zh' ? 'zh-CN' : 'en',
        font: true,
        colour: language === 'en' ? 'rgb(243, 245, 244)' : 'rgb(11, 16, 17)',
        overflow: 0,
        here: [page.url()],
      })
      expect(await axeFaults(page)).toEqual([])
      const found = await page.evaluate(() => [...document.links].map(({ href }) => href))
      for (const href of found) links.add(href)
    }
    for (const href of links) {
      const [address = '', part] = href.split('#')
      // Links to other sites are not requested, because a change here cannot break them.
      if (new URL(address).origin !== new URL(page.url()).origin) {
        expect(address).toMatch(/^https:/)
        continue
      }
      const answer = await page.request.get(address)
      expect([href, answer.status()]).toEqual([href, 200])
      if (part) expect(await answer.text()).toContain(`id="${part}"`)
    }
    await end()
  })
})
