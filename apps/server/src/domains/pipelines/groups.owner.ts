import { groupTeam } from './groups.store.ts'
import type { Owner } from '../../http/server.ts'

export const owner: Owner = { kind: 'pipeline-group', teamOf: (db, id) => groupTeam(db, Number(id)) }
