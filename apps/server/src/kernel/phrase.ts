import { en } from '@gantry/phrases/en.gen'
import { fill } from '@gantry/phrases/fill'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { zh } from '@gantry/phrases/zh.gen'
import { z } from 'zod'
import type { Ctx, Lang } from './context.ts'
import { Fault, type Vars } from './fault.ts'

interface PhraseRef {
  key: PhraseKey
  vars: Vars
  plain?: PhraseKey | undefined
  /** A fault fills the phrase's `{cause}`. */
  cause?: unknown
}

const textsOf = (lang: Lang) => (lang === 'zh' ? zh : en)

/** Turns keys of permissions, one or a list, into what they let one do. A key that no longer exists stays as it is. */
const inWords = (lang: Lang, keys: string): string =>
  keys
    .split(', ')
    .map((key) => {
      const phrase = `permission.${key}`
      return isPhrase(phrase) ? `“${textsOf(lang)[phrase]}”` : key
    })
    .join(lang === 'zh' ? '、' : ', ')

/** `{permission}` and `{permissions}` are given as keys and shown in words. */
const translateVars = (lang: Lang, vars: Vars): Vars =>
  Object.fromEntries(
    Object.entries(vars).map(([name, value]) => [
      name,
      /^permissions?$/.test(name) ? inWords(lang, `${value}`) : value,
    ]),
  )

export const say = (lang: Lang, key: PhraseKey, vars: Vars = {}): string =>
  fill(textsOf(lang)[key], translateVars(lang, vars))

/** Whom a text is for. */
export type Reader = Pick<Ctx, 'lang'> & { actor: { admin: boolean } }

/** A fault's text: for non-administrators the plain phrase, if it has one. */
export function sayTo(hearer: Reader, { key, vars, plain, cause }: PhraseRef): string {
  const { lang, actor } = hearer
  if (plain !== undefined && !actor.admin) return say(lang, plain, vars)
  return say(lang, key, cause instanceof Fault ? { ...vars, cause: sayTo(hearer, cause) } : vars)
}

/** A fault's text for a build's log: in English, as all logs are, and for non-administrators. */
export const sayInLog = (fault: PhraseRef): string => sayTo({ lang: 'en', actor: { admin: false } }, fault)

/** The first few of many names, joined for use in a sentence. */
export const firstFew = (names: readonly string[]): string =>
  names.slice(0, 5).join(', ') + (names.length > 5 ? ' …' : '')

export const isPhrase = (key: string): key is PhraseKey => Object.hasOwn(en, key)

const Cause = z.object({
  key: z.string(),
  vars: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  /** Shown to non-administrators, where the phrase reveals internals of a network. */
  plain: z.string().optional(),
})

export const StoredReason = Cause.extend({
  /** Fills the phrase's `{cause}`. */
  cause: Cause.optional(),
})

/** Why something is in its state, stored as a phrase and its values so that it can be shown in both languages. */
export type Reason = z.infer<typeof StoredReason>

export const isReason = (value: unknown): value is Reason => StoredReason.safeParse(value).success

/** A stored reason in the reader's language. An agent of another release may name a phrase that this one lacks. */
export function sayReason(lang: Lang, stored: unknown): string {
  const reason = StoredReason.nullable().parse(stored)
  if (reason === null) return ''
  const vars = reason.cause ? { ...reason.vars, cause: sayReason(lang, reason.cause) } : reason.vars
  return isPhrase(reason.key) ? say(lang, reason.key, vars) : reason.key
}

/** The reason that is stored of a fault, to be shown later. */
export const reasonOf = ({ key, vars, plain, cause }: Fault): Reason => ({
  key,
  vars,
  ...(plain && { plain }),
  ...(cause instanceof Fault && { cause: { key: cause.key, vars: cause.vars, plain: cause.plain } }),
})

/** Like sayReason, but non-administrators get the plain phrase where there is one. */
export function sayReasonTo({ lang, actor }: Reader, stored: unknown): string {
  const reason = StoredReason.nullable().parse(stored)
  return sayReason(lang, actor.admin || reason === null ? reason : plainly(reason))
}

const plainly = ({ plain, cause, ...reason }: Reason): Reason =>
  plain === undefined ? { ...reason, ...(cause && { cause: plainly(cause) }) } : { key: plain, vars: {} }
