import { t } from '../../api/language.ts'

const most = 3

/** The first host names of a certificate, and the number of the others. */
export const briefNames = (names: readonly string[]): string => {
  const first = names.slice(0, most).join(', ')
  return names.length <= most ? first : t('certificates-ui-more', { names: first, count: names.length - most })
}
