import { rows } from '../../db/rows.ts'

export const helmReleaseRows = rows.selectFrom('helm_release').select(['id', 'stack_id', 'name', 'state'])

export const helmReleaseImageRows = rows
  .selectFrom('helm_release_image')
  .select(['release_id', 'revision', 'runs', 'image', 'path'])

export const helmRepositoryTeamRows = rows.selectFrom('helm_repository_team').select(['repository_id', 'team_id'])
