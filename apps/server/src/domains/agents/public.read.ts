import { rows } from '../../db/rows.ts'

export const agentRows = rows
  .selectFrom('agent')
  .select([
    'id',
    'name',
    'team_id',
    'environment',
    'os_type',
    'labels',
    'own_labels',
    'capacity',
    'executors',
    'isolated',
  ])
  .select(['protocol', 'paused', 'waits', 'last_seen_at', 'clean_asked_at'])
