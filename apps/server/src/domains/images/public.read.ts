import { rows } from '../../db/rows.ts'

export const registryRows = rows
  .selectFrom('registry')
  .select(['id', 'team_id', 'harbor_id', 'url', 'username', 'password'])
