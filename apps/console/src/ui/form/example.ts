import { t } from '../../api/language.ts'

/** A placeholder that nobody takes for a value: what a field begins with is its value. */
export const example = (text: string): string => t('ui-example', { text })
