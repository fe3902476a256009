import type { Check } from '../visit.ts'

/** How each state and each word of one looked where the walk saw it first, by the language of the walk. */
const seen = new Map<string, { look: string; at: string }>()

/** The same state has one colour and one icon on every screen, and so has the same word. */
export const check: Check = async ({ name, look, page }) => {
  const states = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.g-state')].map((state) => ({
      state: state.dataset['state'] ?? '',
      word: state.textContent,
      drawn: `${/g-state-\w+/.exec(state.className)?.[0]} ${state.querySelector('svg')?.innerHTML}`,
    })),
  )
  const faults = states.flatMap(({ state, word, drawn }) =>
    [`state ${state}`, ...(word ? [`word ${word}`] : [])].flatMap((key) => {
      const first = seen.get(`${look.language} ${key}`)
      if (first === undefined) seen.set(`${look.language} ${key}`, { look: drawn, at: name })
      return first === undefined || first.look === drawn ? [] : [`${key} is ${drawn}, on ${first.at} ${first.look}`]
    }),
  )
  return [...new Set(faults)]
}
