import { beforeAll, expect, test } from 'vitest'
import { newUser } from '../product.ts'
import type { Look, Suite } from '../story.ts'
import { takePictures } from './pictures.ts'
import { prepareScreens } from './screens.ts'
import { type Check, loadChecks, visitor, type Walker } from './visit.ts'

// A walk takes longer with every new screen; a hanging screen ends by the page's own limits.
const timeout = 600_000

/**
 * Every screen in the list of routes is opened once by this user, and passes all checks. Each user has a file and a
 * team, so that the walks run in parallel. Answers the user's story, and the address of a screen.
 */
export function walk(
  who: Walker,
  suite: () => Suite,
  look: Look,
): { username: string; addressOf: (screen: string) => string } {
  // Short: where it wraps on a telephone, the first page moves by a line when the sample's answer arrives.
  const team = `${who.slice(0, 1)}-${look.language}`
  const username = who === 'admin' ? 'admin' : `${who}-${look.language}`
  let screens = new Map<string, string>()
  let checks: [name: string, check: Check][] = []
  beforeAll(async () => {
    const { product } = suite()
    const prepared = await prepareScreens(product, team)
    ;({ screens } = prepared)
    if (who === 'member') await newUser(product, username, prepared)
    if (who === 'leader') await newUser(product, username, { ...prepared, roleId: 'leader' })
    checks = await loadChecks()
  })

  test('passes all checks', { timeout }, async () => {
    const story = await suite().enter(username)
    const visit = visitor(story, who, look)
    const faults: string[] = []
    for (const [screen, at] of screens) {
      // Only the administrator has the settings: the leader's walk covers them for users with fewer rights.
      if (who === 'member' && screen.startsWith('sys-')) continue
      if (who === 'admin') await takePictures(story.page, screen, look, () => visit(screen, at))
      const visited = await visit(screen, at)
      for (const [name, check] of checks)
        faults.push(...(await check(visited)).map((fault) => `${screen}: ${name}: ${fault}`))
    }
    expect(faults).toEqual([])
    await story.end(/./)
  })

  return { username, addressOf: (screen) => screens.get(screen) ?? '' }
}
