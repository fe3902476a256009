import { rows } from '../../db/rows.ts'

export const blueprintRows = rows
  .selectFrom('blueprint')
  .select(['id', 'team_id', 'product_id', 'version', 'tosca_version'])

export const stackReleaseRows = rows
  .selectFrom('stack_release')
  .select(['stack_id', 'state', 'before', 'template_id', 'template_before'])
