import type { Owner } from '../../http/server.ts'
import { stackTeam } from './stacks.store.ts'

export const owner: Owner = {
  kind: 'stack',
  teamOf: (db, id) => stackTeam(db, /^\d+$/.test(id) ? Number(id) : id),
}
