import { en } from '@gantry/phrases/en.gen'
import type { Check } from '../visit.ts'

const keys = new Set(Object.keys(en))

/** Texts that look like a key but are not one: names given by users, permissions shown beside their texts. */
const rawTexts = '.g-mono, code, pre, kbd, textarea, [translate=no], .g-log, .xterm, .cm-editor'

/** No phrase key appears in place of its text, and no placeholder is left unfilled. */
export const check: Check = async ({ page }) => {
  const texts = await page.evaluate((skip) => {
    const found: string[] = []
    for (const element of document.querySelectorAll('body *')) {
      if (element.closest(`script, style, ${skip}`)) continue
      for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
        if (element.hasAttribute(name)) found.push(element.getAttribute(name) ?? '')
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) found.push(node.nodeValue ?? '')
    }
    found.push(document.title)
    return found
  }, rawTexts)
  return [...new Set(texts.map((text) => text.trim()))]
    .filter((text) => (/[-.]/.test(text) && keys.has(text)) || /\{[a-z]\w*\}/i.test(text))
    .map((text) => `shows ${text}`)
}
