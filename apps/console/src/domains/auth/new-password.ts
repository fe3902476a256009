import { password as rules } from '@gantry/contract/validators'
import { isPhrase, t, type PhraseKey } from '../../api/language.ts'
import { minimumScore, scoreOf } from './strength.tsx'

export type Rule = (value: string) => Promise<void>

export const refuse = (key: PhraseKey): Promise<never> => Promise.reject(new Error(t(key)))

export const isThere =
  (key: PhraseKey): Rule =>
  (value) =>
    value === '' ? refuse(key) : Promise.resolve()

/**
 * The rules of a new password, in the specification's order: present, 6 to 20 characters, no Chinese, hard to guess.
 */
export const newPassword: Rule = async (value) => {
  if (value === '') return refuse('valid-new-pwd')
  const message = rules.safeParse(value).error?.issues[0]?.message
  if (message !== undefined) return refuse(isPhrase(message) ? message : 'valid-pwd-count')
  if ((await scoreOf(value)) < minimumScore) return refuse('valid-pwd-strenght')
}

/** A rule as the form needs it. */
export const check = (rule: Rule) => ({ validator: (_: unknown, value?: string) => rule(value ?? '') })
