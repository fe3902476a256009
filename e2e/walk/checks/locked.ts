import type { Check } from '../visit.ts'

/** A locked screen says so once, and only administrators see the settings. */
export const check: Check = async ({ name, who, page, story }) => {
  const faults: string[] = []
  const locked = await page.locator('.g-locked').count()
  if (locked > (who === 'member' ? 1 : 0)) faults.push(`locked ${locked} times`)
  if (who === 'admin' || !name.startsWith('sys-')) return faults
  if (!(await page.getByText(story.say('shell-admin-only')).isVisible())) faults.push('does not say who may see it')
  if ((await page.locator('nav a[href^="/sysconfig"]').count()) > 0) faults.push('has settings in the menu')
  return faults
}
