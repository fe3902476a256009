import { rows } from '../../db/rows.ts'

export const clusterRows = rows
  .selectFrom('environment')
  .select(['uuid', 'name', 'cluster', 'sandbox', 'leaving_since'])

/** Namespaces that stacks have or had. */
export const namespaceRows = rows
  .selectFrom('environment_namespace')
  .select(['environment', 'namespace', 'stack_uuid', 'team_id', 'held', 'cluster'])
