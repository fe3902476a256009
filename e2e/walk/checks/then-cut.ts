import type { Check } from '../visit.ts'

/**
 * A text that does not fit ends in an ellipsis, wraps or scrolls: a text that is just cut off looks complete but is
 * not. Tested with names and values of maximum length.
 */
export const check: Check = ({ page }) =>
  page.evaluate(() => {
    const cut = new Set<string>()
    const data = 'main :is(h1, h2, td, dd, li, p, a, b, code, small, .g-mono, .g-name)'
    for (const place of document.querySelectorAll(data)) {
      const [only, ...more] = place.childNodes
      if (only?.nodeType === Node.TEXT_NODE && more.length === 0)
        only.textContent += '-and-a-name-that-goes-on-and-on-for-long'
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const words = text.textContent?.trim() ?? ''
      const holder = text.parentElement
      if (words === '' || !holder?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      range.selectNodeContents(text)
      const { left, right, width, height } = range.getBoundingClientRect()
      // visually hidden, for screen readers only
      if (width < 2 || height < 2) continue
      for (let box: Element | null = holder; box && box !== document.body; box = box.parentElement) {
        const { overflowX, textOverflow } = getComputedStyle(box)
        if (overflowX === 'visible') continue
        // the rest can be reached by scrolling
        if (overflowX !== 'hidden' && overflowX !== 'clip') break
        const inside = box.getBoundingClientRect()
        if (inside.width < 2) break
        if (right <= inside.right + 1 && left >= inside.left - 1) continue
        if (textOverflow !== 'ellipsis')
          cut.add(`“${words.slice(0, 60)}” is cut off by ${box.nodeName}.${String(box.className)}`)
        break
      }
    }
    return [...cut]
  })
