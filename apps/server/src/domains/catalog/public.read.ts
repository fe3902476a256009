import { rows } from '../../db/rows.ts'

export const catalogRows = rows.selectFrom('catalog').select(['id', 'name'])

export const catalogTemplateRows = rows
  .selectFrom('catalog_template')
  .select(['id', 'catalog_id', 'version', 'tosca_version'])
