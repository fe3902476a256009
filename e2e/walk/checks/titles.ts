import { paths } from '../../../apps/console/src/paths.gen.ts'
import type { Check } from '../visit.ts'

/** Parts of an address that name no object, or only the team, which all screens have. */
const ofAll = /\$(?:team_id|kind|tab|from)\b/g

/** The title of the browser's tab names the object first, if a screen has one, without other texts of its heading. */
export const check: Check = async ({ name, who, page }) => {
  // An object that is being added has no name yet.
  if (who !== 'admin' || name.endsWith('-add')) return []
  const isOfObject = Object.entries(paths).some(
    ([route, path]) => route === name && path.replaceAll(ofAll, '').includes('$'),
  )
  const { title, marks } = await page.evaluate(() => ({
    title: document.title,
    marks: [...document.querySelectorAll('h1 :is(.g-state, .g-tag)')].map(({ textContent }) => textContent),
  }))
  const [first = ''] = title.split(' · ')
  return [
    ...(isOfObject && first === title ? [`names no object: ${title}`] : []),
    ...marks.filter((mark) => mark !== '' && first.endsWith(mark)).map(() => `has a mark in its title: ${title}`),
  ]
}
