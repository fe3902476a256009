import { t } from '../../api/language.ts'

/** A placeholder that cannot be mistaken for a value, because it says that it is an example. */
export const example = (text: string): string => t('ui-example', { text })
