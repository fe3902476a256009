import type { CatalogTag } from '@gantry/contract/catalog/catalogs'
import { t } from '../../api/language.ts'

/** The tags as options of a list's filter. */
export const tagOptions = (tags: readonly CatalogTag[] = []) => [
  { value: 'all', label: t('catalog-ui-all-tags') },
  ...tags.map(({ id, name }) => ({ value: String(id), label: name })),
]
