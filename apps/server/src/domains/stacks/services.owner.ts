import type { Owner } from '../../http/server.ts'
import { serviceTeam } from './services.store.ts'

/** A topic's name may carry anything in the place of the id. */
const isId = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text)

export const owner: Owner = {
  kind: 'service',
  teamOf: async (db, id) => (isId(id) ? serviceTeam(db, Number(id)) : undefined),
}
