import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { language, t } from '../../../api/language.ts'

const list = new Intl.ListFormat(language, { type: 'unit', style: 'short' })

/** The parts of a specification that were changed, as the form calls them. */
export const wordsOfChanges = (fields: readonly (keyof ServiceSpec)[]): string =>
  list.format(fields.map((field) => t(`stacks-ui-field-${field}`)))
