import type { Owner } from '../../http/server.ts'
import { teamOfToken } from './tokens.store.ts'

export const owner: Owner = { kind: 'api-token', teamOf: (db, id) => teamOfToken(db, Number(id)) }
