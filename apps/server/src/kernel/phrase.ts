import { en } from '@gantry/phrases/en.gen'
import { fill } from '@gantry/phrases/fill'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { zh } from '@gantry/phrases/zh.gen'
import type { Lang } from './context.ts'
import type { Vars } from './fault.ts'

export const say = (lang: Lang, key: PhraseKey, vars: Vars = {}): string => fill((lang === 'zh' ? zh : en)[key], vars)

export const isPhrase = (key: string): key is PhraseKey => Object.hasOwn(en, key)
