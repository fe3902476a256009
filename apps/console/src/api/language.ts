import { fill } from '@gantry/phrases/fill'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { session } from './storage.ts'
import { type Bundle, type Language, loadWords } from './words.ts'

export type { Language, PhraseKey }
export type Vars = Record<string, string | number>

/** The session's choice, otherwise the browser's first language. */
export function chooseLanguage(kept: unknown, browser: readonly string[]): Language {
  if (kept === 'en' || kept === 'zh') return kept
  return browser[0]?.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

export const language: Language = chooseLanguage(session.get('language'), navigator.languages ?? [navigator.language])

let phrases: Bundle = {}
let loaded: Language = language

/** Loads the texts of all screens in one language; until then `t` returns keys. */
export async function loadLanguage(which: Language = language): Promise<void> {
  loaded = which
  phrases = await loadWords(which, 'base')
  document.documentElement.lang = which === 'zh' ? 'zh-CN' : 'en'
}

/**
 * Loads the additional texts of a screen, and then the screen, whose modules may use texts while they load. A build
 * wraps each lazily loaded screen in this (words.ts).
 */
export async function withWords<T>(part: string, load: () => Promise<T>): Promise<T> {
  const more = await loadWords(loaded, part)
  phrases = { ...phrases, ...more }
  return load()
}

/** Stores the choice for the session and reloads the page. */
export function switchLanguage(): void {
  session.set('language', language === 'en' ? 'zh' : 'en')
  location.reload()
}

/** All keys with this prefix, for example for a choice among all of a kind. */
export const phrasesWith = (prefix: string): PhraseKey[] =>
  Object.keys(phrases).filter((key): key is PhraseKey => key.startsWith(prefix))

export const isPhrase = (key: string): key is PhraseKey => key in phrases

/** The text of a key, with its `{placeholders}` filled. */
export function t(key: PhraseKey, vars?: Vars): string {
  const text = phrases[key] ?? key
  return vars ? fill(text, vars) : text
}
