import { en } from '@gantry/phrases/en.gen'
import { fill } from '@gantry/phrases/fill'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { zh } from '@gantry/phrases/zh.gen'
import { z } from 'zod'
import type { Ctx, Lang } from './context.ts'
import type { Fault, Vars } from './fault.ts'

interface Told {
  key: PhraseKey
  vars: Vars
  plain?: PhraseKey | undefined
}

export const say = (lang: Lang, key: PhraseKey, vars: Vars = {}): string => fill((lang === 'zh' ? zh : en)[key], vars)

/** Whom a text is for. */
export type Hearer = Pick<Ctx, 'lang'> & { actor: { admin: boolean } }

/** A fault's text: for non-administrators the plain phrase, if it has one. */
export const sayTo = ({ lang, actor }: Hearer, { key, vars, plain }: Told): string =>
  plain === undefined || actor.admin ? say(lang, key, vars) : say(lang, plain)

export const isPhrase = (key: string): key is PhraseKey => Object.hasOwn(en, key)

export const StoredReason = z.object({
  key: z.string(),
  vars: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  /** What is said to who is no administrator, where the phrase tells of the inside of a network. */
  plain: z.string().optional(),
})

/** Why something is as it is, kept as a phrase and its values so that both languages can be told. */
export type Reason = z.infer<typeof StoredReason>

export const isReason = (value: unknown): value is Reason => StoredReason.safeParse(value).success

/** A stored reason in the reader's language; an agent of another release may name a phrase that this one lacks. */
export function sayReason(lang: Lang, stored: unknown): string {
  const reason = StoredReason.nullable().parse(stored)
  if (reason === null) return ''
  return isPhrase(reason.key) ? say(lang, reason.key, reason.vars) : reason.key
}

/** What a fault leaves to be told later. */
export const reasonOf = ({ key, vars, plain }: Fault): Reason => ({ key, vars, ...(plain && { plain }) })

/** As sayReason, and to who is no administrator the plain words, where there are such. */
export function sayReasonTo({ lang, actor }: Hearer, stored: unknown): string {
  const plain = StoredReason.nullable().parse(stored)?.plain
  return plain === undefined || actor.admin ? sayReason(lang, stored) : sayReason(lang, { key: plain })
}
