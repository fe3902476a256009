import { t } from '../../api/language.ts'

const most = 3

/** The first names that a certificate is for, and how many more there are. */
export const briefNames = (names: readonly string[]): string => {
  const shown = names.slice(0, most).join(', ')
  return names.length <= most ? shown : t('certificates-ui-more', { names: shown, count: names.length - most })
}
