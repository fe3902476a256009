import { rows } from '../../db/rows.ts'

export const productRows = rows.selectFrom('product').select(['id', 'name'])
