import { z } from 'zod'
import type { Lang } from './context.ts'
import { isPhrase, say } from './phrase.ts'

const Stored = z.object({ key: z.string(), vars: z.record(z.string(), z.union([z.string(), z.number()])).default({}) })

/** Why something is as it is, kept as a phrase and its values so that both languages can be told. */
export type Reason = z.infer<typeof Stored>

export const isReason = (value: unknown): value is Reason => Stored.safeParse(value).success

/** A stored reason in the reader's language; an agent of another release may name a phrase that this one lacks. */
export function sayReason(lang: Lang, stored: unknown): string {
  const reason = Stored.nullable().parse(stored)
  if (reason === null) return ''
  return isPhrase(reason.key) ? say(lang, reason.key, reason.vars) : reason.key
}
