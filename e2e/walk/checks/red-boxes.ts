import type { Check } from '../visit.ts'

/** No part of a screen has failed, and every disabled button says why. */
export const check: Check = ({ page }) =>
  page.evaluate(() => {
    const seen = (selector: string) =>
      [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility())
    return [
      ...seen('.g-failed, .g-toast-error').map(({ innerText }) => `failed: ${innerText.replaceAll('\n', ' | ')}`),
      ...seen('main button:disabled, main [aria-disabled=true]:not(.g-blocked, [role], .g-pager *)').map(
        ({ outerHTML }) => `dead: ${outerHTML.slice(0, 200)}`,
      ),
    ]
  })
