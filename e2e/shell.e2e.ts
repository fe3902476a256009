import { teams } from '@gantry/contract/teams/teams'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { languageFaults } from './language.ts'
import { newUser, password } from './product.ts'
import { signIn, stories } from './story.ts'

/** The frame of every screen: login and logout, teams, language, theme, menu, error screens. */

/** The account menu is the last button in the bar, named in the current language. */
const accountOf = (page: Page) => page.getByRole('banner').getByRole('button').last()

stories('the shell', (suite, { language, width }) => {
  const wide = width > 600
  const user = `person-${language}`
  let here = 0
  let there = 0
  beforeAll(async () => {
    const { product } = suite()
    const { admin } = product
    ;({ id: here } = await admin.call(teams.create, { body: { name: `here-${language}` } }))
    ;({ id: there } = await admin.call(teams.create, { body: { name: `there-${language}` } }))
    const { id } = await newUser(product, user, { teamId: here, roleId: 'leader' })
    await admin.call(teams.addMembers, { params: { id: there }, body: [id] })
  })

  test('a link leads through the login to its page; another team is a few keys away', async () => {
    const story = await suite().open()
    const { page, say, press, reach, write, check } = story
    await page.goto(`/teams/${here}/cd?keyword=abc`)
    await page.waitForURL('**/login')
    await signIn(story, user, password)
    await page.waitForURL(`**/teams/${here}/cd?keyword=abc`)
    await page.getByRole('heading', { level: 1, name: say('route-pipeline-v1-list') }).waitFor()
    const skip = page.getByRole('menuitem', { name: say('shell-skip') })
    await reach(skip)
    await check()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)

    const opener = page.getByRole('button', { name: say('shell-switch-team', { name: `here-${language}` }) })
    await press(opener)
    await page.getByLabel(say('shell-find-team')).and(page.locator(':focus')).waitFor()
    await check()
    await page.keyboard.press('Escape')
    await opener.and(page.locator(':focus')).waitFor()
    await page.getByLabel(say('shell-find-team')).waitFor({ state: 'detached' })
    await press(opener)
    await write(page.getByLabel(say('shell-find-team')), 'there')
    await press(page.getByRole('button', { name: `there-${language}`, exact: true }))
    await page.waitForURL(`**/teams/${there}/dashboard`)
    await page.getByRole('button', { name: say('shell-switch-team', { name: `there-${language}` }) }).waitFor()
    await page.getByRole('heading', { level: 1, name: say('dashboard-hello', { name: user }) }).waitFor()
    await check()
    await story.end()
  })

  test('language, theme and menu are chosen by keyboard and kept', async () => {
    const { open } = suite()
    const story = await open()
    const { page, say, press, pick, check } = story
    const other = language === 'en' ? 'zh' : 'en'
    const otherName = language === 'en' ? '中文' : 'English'
    const ownName = language === 'en' ? 'English' : '中文'
    const account = accountOf(page)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const switchTo = (name: string) => (wide ? press(button(name)) : pick(account, name))
    await page.goto(`/teams/${here}/dashboard`)
    await page.waitForURL('**/login')
    await signIn(story, user, password)
    await page.waitForURL('**/dashboard')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await switchTo(otherName)
    await page.locator(`html[lang^=${other}]`).waitFor()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await languageFaults(page, other)).toEqual([])
    await switchTo(ownName)
    await page.locator(`html[lang^=${language}]`).waitFor()
    await page.getByRole('heading', { level: 1 }).waitFor()

    if (wide) {
      await pick(button(say('shell-theme')), say('shell-theme-dark'))
      await check()
      await page.keyboard.press('[')
      await button(say('shell-expand')).waitFor()
      await page.reload()
      await button(say('shell-expand')).waitFor()
      await check()
    } else {
      await press(button(say('shell-navigation')))
      const menu = page.getByRole('navigation', { name: say('shell-navigation') })
      await menu.getByRole('button', { name: say('ui-close') }).waitFor()
      await check()
      await page.keyboard.press('Escape')
      await menu.getByRole('button', { name: say('ui-close') }).waitFor({ state: 'hidden' })
      await press(button(say('shell-navigation')))
      await press(menu.getByRole('link', { name: say('route-app-list'), exact: true }))
      await page.waitForURL('**/appcenter')
    }
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: say('shell-shortcuts') }).waitFor()
    await check()
    await page.keyboard.press('Escape')
    await story.end()
  })

  test('a missing page, a failed one, and a logout in every tab', async () => {
    const { enter } = suite()
    const story = await enter(user)
    const { page, say, press, pick, check } = story
    await page.goto('/no/such/page')
    await page.getByRole('heading', { name: say('page-not-found') }).waitFor()
    await check()
    await press(page.getByRole('button', { name: say('shell-to-dashboard') }))
    await page.waitForURL('**/dashboard')
    await page.goto('/500')
    await page.getByRole('heading', { name: say('shell-server-error') }).waitFor()
    await check()
    await page.goto('/teams/99999/dashboard')
    await page.getByText(say('user-team')).first().waitFor()
    await page.waitForURL(/teams\/(?!99999)\d+\/dashboard/)

    const second = await story.tab()
    await second.page.goto(`/teams/${here}/cd`)
    await second.page.getByRole('heading', { level: 1, name: say('route-pipeline-v1-list') }).waitFor()
    await pick(accountOf(page), say('shell-logout'))
    await page.waitForURL('**/login')
    await second.page.waitForURL('**/login')
    await second.check()
    await second.page.goto(`/teams/${here}/cd`)
    await second.page.waitForURL('**/login')
    await second.page.getByLabel(say('auth-username-or-email')).waitFor()
    await story.end(/tenantId=99999/)
  })
})
