import type { Check } from '../visit.ts'

/** Every entry of the menu is completely readable. */
export const check: Check = ({ page }) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('nav a span, nav h2')]
      .filter((word) => word.checkVisibility() && word.scrollWidth > word.clientWidth + 1 && word.clientWidth > 1)
      .map((word) => `is cut: ${word.textContent}`),
  )
