import { isPhrase, t } from '../../api/language.ts'

/** What a provider, or a crafted link, may say in ?error=: plain words, and not many. */
const limit = 300

/**
 * The words for ?error=. Our own server sends the key of a phrase; anything else is shown as it is, without the
 * characters that nobody sees or that turn the direction of what follows.
 */
export function wordsOfProvider(error: string): string {
  if (isPhrase(error)) return t(error)
  const seen = error.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu, ' ').trim()
  return t('auth-provider-says', { error: [...seen].slice(0, limit).join('') })
}
