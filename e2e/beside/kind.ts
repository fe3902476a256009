import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { users } from '@gantry/contract/users/users'
import { afterAll, expect, onTestFailed, test } from 'vitest'
import { changePassword, type OpenProduct } from '../product.ts'
import type { Story } from '../story.ts'

/** What is waited for on the screen that is open: a text of its own, a part of one, or whatever is looked for. */
type Seen = string | RegExp | ((story: Story) => Promise<unknown>)

interface Kind<T> {
  /** What is written. */
  what: string
  /** The address of the screen that is open all the while. */
  at: () => string
  /** The colleague's first call; the others are about what it answers. */
  add: () => Promise<T>
  shows: Seen
  /** What was seen first vanishes with it, where it is a text. */
  change?: (made: T) => Promise<unknown>
  changed?: Seen
  /** What was seen last vanishes with it. */
  remove?: (made: T) => Promise<unknown>
}

/** One kind of writes, and how it shows to somebody who has a screen open and does nothing. */
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
    // what is there before is read before
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

/** That a field of the screen has a value. */
export const field = (label: (story: Story) => string, value: string) => (story: Story) =>
  expect.poll(() => story.field(label(story)).inputValue()).toBe(value)

/** Tells each in the one browser that is open. A server that is overloaded is asked again. */
export function tellAll(rows: readonly Row[], enter: () => Promise<Story>): void {
  let story: Story | undefined
  afterAll(() => story?.end(/status of (429|503)/))
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
