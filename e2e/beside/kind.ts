import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { users } from '@gantry/contract/users/users'
import { afterAll, expect, onTestFailed, test } from 'vitest'
import { changePassword, type OpenProduct } from '../product.ts'
import type { Story } from '../story.ts'

/** What the open screen must show: a whole text, a pattern, or a check of its own. */
type Seen = string | RegExp | ((story: Story) => Promise<unknown>)

interface Kind<T> {
  /** The kind of objects, for the title of the test. */
  what: string
  /** The address of the screen that stays open during the test. */
  at: () => string
  /** The colleague's first call. Its answer is passed to the other calls. */
  add: () => Promise<T>
  shows: Seen
  /** After it, `shows` must disappear, unless it is a function. */
  change?: (made: T) => Promise<unknown>
  changed?: Seen
  /** After it, `changed` must disappear, unless it is a function. */
  remove?: (made: T) => Promise<unknown>
}

/** A test that an idle open screen shows what a colleague writes. */
interface Row {
  what: string
  tell: (story: Story) => Promise<void>
}

export const kind = <T>({ what, at, add, shows, change, changed = shows, remove }: Kind<T>): Row => ({
  what,
  async tell(story) {
    const { page } = story
    const text = (words: string | RegExp) =>
      page.locator('#content').getByText(words, { exact: true }).filter({ visible: true })
    const see = (seen: Seen) => (typeof seen === 'function' ? seen(story) : text(seen).first().waitFor())
    const miss = async (seen: Seen) => {
      if (typeof seen !== 'function') await expect.poll(() => text(seen).count()).toBe(0)
    }
    await page.goto(at())
    await page.locator('#content h1').first().waitFor()
    // the screen must have loaded before the write
    await expect.poll(() => page.locator('#content .g-skeleton').count()).toBe(0)
    const made = await add()
    await see(shows)
    if (change) {
      await change(made)
      await see(changed)
      await miss(shows)
    }
    if (remove) {
      await remove(made)
      await miss(changed)
    }
  },
})

/** Waits until a field of the screen has the value. */
export const field = (label: (story: Story) => string, value: string) => (story: Story) =>
  expect.poll(() => story.field(label(story)).inputValue()).toBe(value)

/**
 * Defines a test for each row; all share one browser. Its console may report 429 and 503, and 404 from a screen that reads
 * again what a colleague has just deleted.
 */
export function tellAll(rows: readonly Row[], enter: () => Promise<Story>): void {
  let story: Story | undefined
  afterAll(() => story?.end(/status of (404|429|503)/))
  // oxlint-disable-next-line vitest/expect-expect -- each row waits for what it expects
  test.for(rows.map((row) => [row.what, row] as const))('shows %s', async ([what, row]) => {
    story ??= await enter()
    const { page } = story
    onTestFailed(async () => {
      await page.screenshot({ path: join(tmpdir(), `gantry-beside-${what.replaceAll(/\W+/g, '-')}.png`) })
    })
    await row.tell(story)
  })
}

/** A new administrator with a password of their own, in a team. */
export async function newAdmin(product: OpenProduct, userName: string, teamId: number): Promise<number> {
  const body = { userName, nickname: userName, email: `${userName}@example.org`, admin: true, teamId }
  const made = await product.admin.call(users.create, { body })
  await changePassword(await product.signIn(userName, made.initialPassword), made.initialPassword)
  return made.id
}
