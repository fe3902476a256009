import { isPhrase, t } from '../../api/language.ts'

/** What a provider, or a crafted link, may say in the address: plain words, and not many. */
const limit = 300

/** Without the characters that nobody sees or that turn the direction of what follows. */
const plain = (text: string): string =>
  [...text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu, ' ').trim()].slice(0, limit).join('')

/**
 * The words for ?error= and ?error_description=. Our own server sends the key of a phrase and the cause; anything else is
 * the provider's, and is shown as that.
 */
export function wordsOfProvider(error: string, description = ''): string {
  const said = plain(description === '' ? error : description)
  if (isPhrase(error)) return t(error, { problem: said })
  return error === 'access_denied' ? t('auth-provider-denied') : t('auth-provider-says', { error: said })
}
