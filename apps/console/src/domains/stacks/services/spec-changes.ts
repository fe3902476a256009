import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { language, t } from '../../../api/language.ts'

const list = new Intl.ListFormat(language, { type: 'unit', style: 'short' })

/** The changed parts of a specification, with the labels of the form. */
export const wordsOfChanges = (fields: readonly (keyof ServiceSpec)[]): string =>
  list.format(fields.map((field) => t(`stacks-ui-field-${field}`)))
