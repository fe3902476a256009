import { en } from '@gantry/phrases/en.gen'
import type { Check } from '../visit.ts'

const keys = new Set(Object.keys(en))

/** Texts that read like a key without being one: a name that somebody gave, a permission that is shown beside its words. */
const rawTexts = '.g-mono, code, pre, kbd, textarea, [translate=no], .g-log, .xterm, .cm-editor'

/** No key of a phrase stands where its words belong, and no placeholder is left open. */
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
