import { fill } from '@gantry/phrases/fill'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { session } from './storage.ts'

export type { PhraseKey }
export type Language = 'en' | 'zh'
export type Vars = Record<string, string | number>

type Bundle = Readonly<Record<string, string>>

/** The session's choice, else the browser's first language. */
export function chooseLanguage(kept: unknown, browser: readonly string[]): Language {
  if (kept === 'en' || kept === 'zh') return kept
  return browser[0]?.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

export const language: Language = chooseLanguage(session.get('language'), navigator.languages ?? [navigator.language])

const bundles: Record<Language, () => Promise<Bundle>> = {
  en: async () => (await import('@gantry/phrases/en.gen')).en,
  zh: async () => (await import('@gantry/phrases/zh.gen')).zh,
}

let phrases: Bundle = {}

/** Loads the phrases of one language; until then `t` returns keys. */
export async function loadLanguage(which: Language = language): Promise<void> {
  phrases = await bundles[which]()
  document.documentElement.lang = which === 'zh' ? 'zh-CN' : 'en'
}

/** Stores the choice for the session and reloads the page. */
export function switchLanguage(): void {
  session.set('language', language === 'en' ? 'zh' : 'en')
  location.reload()
}

/** Every key with this prefix: for a choice among all of a kind. */
export const phrasesWith = (prefix: string): PhraseKey[] =>
  Object.keys(phrases).filter((key): key is PhraseKey => key.startsWith(prefix))

export const isPhrase = (key: string): key is PhraseKey => key in phrases

/** The text of a key, with its `{placeholders}` filled. */
export function t(key: PhraseKey, vars?: Vars): string {
  const text = phrases[key] ?? key
  return vars ? fill(text, vars) : text
}
