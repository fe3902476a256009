import type { Check } from '../visit.ts'

/**
 * The screens of a user without a role break no rule of accessibility, fit the window and are in one language. The
 * stories of other users check their screens in every state, and one checks the page in place of a locked screen.
 */
export const check: Check = async ({ name, who, page, story }) => {
  if (who === 'member' && !name.startsWith('sys-') && (await page.locator('.g-locked').count()) === 0)
    await story.check()
  return []
}
