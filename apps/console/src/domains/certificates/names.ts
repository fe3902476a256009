import { t } from '../../api/language.ts'

const most = 3

/** The first host names of a certificate, and the number of the others. */
export const briefNames = (names: readonly string[]): string => {
  const shown = names.slice(0, most).join(', ')
  return names.length <= most ? shown : t('certificates-ui-more', { names: shown, count: names.length - most })
}
