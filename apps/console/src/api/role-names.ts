import { isPhrase, t } from './language.ts'

/** Built-in roles have the same name in every installation and are translated. */
export const systemRoleName = (name: string): string => {
  const phrase = `system-role-${name}`
  return isPhrase(phrase) ? t(phrase) : name
}
