import { en } from '@gantry/phrases/en.gen'
import { fill } from '@gantry/phrases/fill'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { zh } from '@gantry/phrases/zh.gen'
import type { Ctx, Lang } from './context.ts'
import type { Vars } from './fault.ts'

interface Told {
  key: PhraseKey
  vars: Vars
  plain?: PhraseKey | undefined
}

export const say = (lang: Lang, key: PhraseKey, vars: Vars = {}): string => fill((lang === 'zh' ? zh : en)[key], vars)

/** Who is told something. */
export type Hearer = Pick<Ctx, 'lang'> & { actor: { admin: boolean } }

/** A fault in words: to who is no administrator the plain ones, where it has such. */
export const sayTo = ({ lang, actor }: Hearer, { key, vars, plain }: Told): string =>
  plain === undefined || actor.admin ? say(lang, key, vars) : say(lang, plain)

export const isPhrase = (key: string): key is PhraseKey => Object.hasOwn(en, key)
