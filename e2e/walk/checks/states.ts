import type { Check } from '../visit.ts'

/** The appearance of each state and each of its words where the walk saw it first, by the language of the walk. */
const seen = new Map<string, { look: string; at: string }>()

/** A state has the same colour and icon on every screen, and so does each word. */
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
