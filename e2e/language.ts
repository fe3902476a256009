import { en } from '@gantry/phrases/en.gen'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { zh } from '@gantry/phrases/zh.gen'
import type { Page } from 'playwright-core'

/** Elements with texts of users and programs (code, logs, terminals, names), and elements marked with another lang. */
const foreign =
  'textarea, code, pre, kbd, samp, .g-mono, .g-log, .g-log-line, .xterm, .cm-editor, [translate=no], script, style'

const han = /\p{Script=Han}|[\u3001\u3002\uff01-\uff1f]/u
const literal = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)

/** Patterns of English phrases that differ from the Chinese ones and are long enough not to be confused with names. */
const english = (Object.keys(en) as PhraseKey[])
  .filter((key) => en[key] !== zh[key])
  .map((key) => en[key].split(/\{\w+\}/))
  .filter((parts) => parts.join('').replaceAll(/[^A-Za-z]/g, '').length > 3)
  .map((parts) => parts.map(literal).join('.+'))
const isEnglishPhrase = new RegExp(`^(?:${english.join('|')})$`, 'u')
/** A sentence that is not a phrase: it comes from another system, or is hard-coded. */
const isEnglishSentence = /(?:\b[a-z]{2,}[ ,.;:]+){3,}[a-z]{2,}/i

/** Whether a text is the key of a phrase that was not loaded. */
const isKey = (text: string): boolean => Object.hasOwn(en, text) && en[text as PhraseKey] !== text

/** Texts of the screen in the other language, or phrase keys, even for screen readers; expected to be empty. */
export async function languageFaults(page: Page, language: 'en' | 'zh'): Promise<string[]> {
  const faults = (await textsOf(page)).filter(
    (text) =>
      isKey(text) ||
      (language === 'en'
        ? han.test(text)
        : isEnglishPhrase.test(text) || (!han.test(text) && isEnglishSentence.test(text))),
  )
  return [...new Set(faults)]
}

const textsOf = (page: Page): Promise<string[]> =>
  page.evaluate((skip) => {
    const own = document.documentElement.lang
    const isOurs = (element: Element): boolean =>
      element.closest(skip) === null && element.closest('[lang]')?.getAttribute('lang') === own
    const texts: string[] = []
    const add = (text: string | null) => {
      const said = text?.replaceAll(/\s+/g, ' ').trim()
      if (said) texts.push(said)
    }
    for (const element of document.querySelectorAll('*')) {
      if (!isOurs(element)) continue
      for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt'])
        add(element.getAttribute(name))
      if (!element.checkVisibility()) continue
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) add(node.nodeValue)
    }
    add(document.title)
    return texts
  }, foreign)
