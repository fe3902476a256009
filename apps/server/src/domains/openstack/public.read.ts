import { rows } from '../../db/rows.ts'

export const zoneRows = rows.selectFrom('zone').select(['uuid', 'environment', 'ready_at', 'created_at'])
