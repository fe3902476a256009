import { isPhrase, t } from '../../api/language.ts'

/** A provider, or a crafted link, may put any text into the address: it is shown as plain text, and cut here. */
const limit = 300

/** Removes invisible and direction-changing characters. */
const plain = (text: string): string =>
  [...text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu, ' ').trim()].slice(0, limit).join('')

/**
 * The text for ?error= and ?error_description=. Our own server sends a phrase key and the cause; other values are shown
 * as the provider's text.
 */
export function wordsOfProvider(error: string, description = ''): string {
  const said = plain(description === '' ? error : description)
  if (isPhrase(error)) return t(error, { problem: said })
  return error === 'access_denied' ? t('auth-provider-denied') : t('auth-provider-says', { error: said })
}
