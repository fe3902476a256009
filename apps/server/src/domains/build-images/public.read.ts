import { rows } from '../../db/rows.ts'

export const jobImageClusterRows = rows
  .selectFrom('job_image_environment')
  .select(['image_id', 'team_id', 'environment'])
