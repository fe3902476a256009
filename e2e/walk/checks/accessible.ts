import type { Check } from '../visit.ts'

/**
 * What somebody without a role sees breaks no rule of accessibility, fits the window and speaks one language. The others'
 * own stories look at their screens in every state, and one of theirs at what stands in the place of a locked one.
 */
export const check: Check = async ({ name, who, page, story }) => {
  if (who === 'member' && !name.startsWith('sys-') && (await page.locator('.g-locked').count()) === 0)
    await story.check()
  return []
}
