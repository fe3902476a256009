import type { Owner } from '../../http/server.ts'
import { serviceTeam } from './services.store.ts'

export const owner: Owner = { kind: 'service', teamOf: (db, id) => serviceTeam(db, Number(id)) }
