import { expect, test } from 'vitest'
import { password } from '../product.ts'
import { signIn, stories } from '../story.ts'
import { ownCode } from './own-code.ts'
import { walk } from './walk.ts'
import { beyond, weigh } from './weight.ts'

stories('every screen as a leader', (suite, look) => {
  const { username, addressOf } = walk('leader', suite, look)

  /** A browser that requested the list, and was redirected to the login; its later loads are measured. */
  async function atLogin() {
    const story = await suite().open()
    const { page } = story
    const weight = weigh(page)
    await page.goto(addressOf('pipeline-v1-list'))
    await page.waitForURL('**/login')
    await page.locator('h1').first().waitFor()
    return { story, weight }
  }

  test('opens after a login that loads little', async () => {
    const { story, weight } = await atLogin()
    expect(beyond(await weight(), { kB: 201, requests: 12 })).toEqual([])
    await story.end()
  })

  test('starts with a list that loads no more than before', async () => {
    const { story, weight } = await atLogin()
    const { page } = story
    await weight()
    await signIn(story, username, password)
    await page.waitForURL((url) => url.pathname !== '/login')
    await page.locator('.g-table').first().waitFor()
    expect(beyond(await weight(), { kB: 140, requests: 28 })).toEqual([])
    await story.end()
  })

  test('shows the applications as first screen with few further loads', async () => {
    const story = await suite().open()
    const { page } = story
    const weight = weigh(page)
    await page.goto(addressOf('app-list'))
    await page.waitForURL('**/login')
    await signIn(story, username, password)
    await page.waitForURL((url) => url.pathname !== '/login')
    await page.locator('main h2').first().waitFor()
    expect(beyond(await weight(), { kB: 400, requests: 60 })).toEqual([])
    await story.end()
  })

  test('has little code of its own', () => {
    const own = ownCode()
    expect(own.size).toBeGreaterThan(80)
    // The editor of a pipeline contains the fields of every type of step.
    const most = (page: string) => (page.endsWith('/definition-page.tsx') ? 95 : 80)
    expect([...own].filter(([page, kB]) => kB > most(page))).toEqual([])
  })
})
