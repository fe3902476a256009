import type { Check } from '../visit.ts'

/**
 * Logs, terminals and editors end within the window, so that their last line is readable without scrolling the page. On
 * a telephone a user may have to scroll to a pane, but not both within it and the page.
 */
export const check: Check = ({ page, look }) =>
  page.evaluate((narrow) => {
    const sheet = document.querySelector('[data-sheet]')?.getBoundingClientRect() ?? new DOMRect()
    return [...document.querySelectorAll('main .g-pane')].flatMap((pane) => {
      const { top, bottom, height } = pane.getBoundingClientRect()
      const isInside = narrow ? height <= sheet.height : top >= sheet.top - 1 && bottom <= sheet.bottom + 1
      return height > 0 && isInside ? [] : [`${pane.className} goes from ${top} to ${bottom} of ${sheet.bottom}`]
    })
  }, look.width < 640)
