import type { Locale } from 'antd/es/locale/index.js'
import { language } from '../api/language.ts'
import sheet from './widgets.css?url'

let locale: Locale | undefined

/** antd's own texts, once they are loaded; undefined: English. */
export const widgetWords = (): Locale | undefined => locale

async function loadWords(): Promise<void> {
  // antd's types declare CommonJS, but the browser gets a module.
  if (language === 'zh') locale = (await import('antd/es/locale/zh_CN.js')).default as unknown as Locale
}

/** Inserted before all other sheets, whenever it arrives, so that ours win at equal specificity. */
const loadRules = (): Promise<void> =>
  new Promise((done, failed) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = sheet
    link.addEventListener('load', () => done())
    link.addEventListener('error', () => {
      link.remove()
      failed(new Error(`${sheet} could not be loaded`))
    })
    document.head.prepend(link)
  })

let loaded: Promise<unknown> | undefined

/** Loads the rules and the texts of antd's widgets, which the login does not need. */
export function loadWidgets(): Promise<unknown> {
  loaded ??= Promise.all([loadRules(), loadWords()]).catch((error: unknown) => {
    loaded = undefined
    throw error
  })
  return loaded
}
