import type { Owner } from '../../http/server.ts'
import { pipelineTeam } from './pipelines.store.ts'

export const owner: Owner = {
  kind: 'pipeline',
  teamOf: (db, id) => pipelineTeam(db, /^\d+$/.test(id) ? Number(id) : id),
}
