import { beforeAll, expect, test } from 'vitest'
import { newUser, password } from '../product.ts'
import { signIn, stories } from '../story.ts'
import { ownCode } from './own-code.ts'
import { takePictures } from './pictures.ts'
import { prepareScreens } from './screens.ts'
import { type Check, loadChecks, visitor } from './visit.ts'
import { beyond, weigh } from './weight.ts'

/** Every screen, found from the list of routes, opened once by each of three people, and what must hold on all of them. */

stories('every screen', (theatre, look) => {
  const someone = (who: 'member' | 'leader') => `${who}-${look.language}`
  let screens = new Map<string, string>()
  let checks: [name: string, check: Check][] = []
  beforeAll(async () => {
    const { product } = theatre()
    const prepared = await prepareScreens(product, `walk-${look.language}`)
    ;({ screens } = prepared)
    await newUser(product, someone('member'), prepared)
    await newUser(product, someone('leader'), { ...prepared, roleId: 'leader' })
    checks = await loadChecks()
  })

  test('is opened after a login that loads little', async () => {
    const story = await theatre().open()
    const { page } = story
    const weight = weigh(page)
    await page.goto(screens.get('pipeline-v1-list') ?? '')
    await page.waitForURL('**/login')
    await page.locator('h1').first().waitFor()
    expect(beyond(await weight(), { kB: 200, requests: 12 })).toEqual([])
    await story.end()
  })

  test('begins with a list that loads no more than before', async () => {
    const story = await theatre().open()
    const { page } = story
    const weight = weigh(page)
    await page.goto(screens.get('pipeline-v1-list') ?? '')
    await page.waitForURL('**/login')
    await page.locator('h1').first().waitFor()
    await weight()
    await signIn(story, someone('leader'), password)
    await page.waitForURL((url) => url.pathname !== '/login')
    await page.locator('.g-table').first().waitFor()
    expect(beyond(await weight(), { kB: 150, requests: 28 })).toEqual([])
    await story.end()
  })

  test('has little code of its own', () => {
    const own = ownCode()
    expect(own.size).toBeGreaterThan(80)
    // The editor of a pipeline has the fields of every kind of step.
    const most = (page: string) => (page.endsWith('/definition-page.tsx') ? 95 : 80)
    expect([...own].filter(([page, kB]) => kB > most(page))).toEqual([])
  })

  // A walk takes longer with every new screen; what hangs on one of them ends by the page's own limits.
  const timeout = 600_000
  test.for(['member', 'leader', 'admin'] as const)('passes all checks as %s sees it', { timeout }, async (who) => {
    const story = await theatre().enter(who === 'admin' ? 'admin' : someone(who))
    const visit = visitor(story, who, look)
    const faults: string[] = []
    for (const [screen, at] of screens) {
      if (who === 'admin') await takePictures(story.page, screen, look, () => visit(screen, at))
      const visited = await visit(screen, at)
      for (const [name, check] of checks)
        faults.push(...(await check(visited)).map((fault) => `${screen}: ${name}: ${fault}`))
    }
    expect(faults).toEqual([])
    await story.end(/./)
  })
})
