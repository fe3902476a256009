import { isPhrase, t } from './language.ts'

/** The built-in ones carry the same name everywhere and are called in the reader's language. */
export const systemRoleName = (name: string): string => {
  const phrase = `system-role-${name}`
  return isPhrase(phrase) ? t(phrase) : name
}
