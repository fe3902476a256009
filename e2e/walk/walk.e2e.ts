import { beforeAll, expect, test } from 'vitest'
import { newUser } from '../product.ts'
import { stories } from '../story.ts'
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
    expect(beyond(await weight(), { kB: 200, requests: 18 })).toEqual([])
    await story.end()
  })

  test.for(['member', 'leader', 'admin'] as const)('passes all checks as %s sees it', async (who) => {
    const story = await theatre().enter(who === 'admin' ? 'admin' : someone(who))
    const visit = visitor(story, who, look)
    const faults: string[] = []
    for (const [screen, at] of screens) {
      const visited = await visit(screen, at)
      for (const [name, check] of checks)
        faults.push(...(await check(visited)).map((fault) => `${screen}: ${name}: ${fault}`))
    }
    expect(faults).toEqual([])
    await story.end(/./)
  })
})
