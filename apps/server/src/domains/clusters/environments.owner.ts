import { uuid } from '@gantry/contract/ids'
import type { Owner } from '../../http/server.ts'
import { teamsUsing } from './environments.store.ts'

export const owner: Owner = {
  kind: 'environment',
  // A topic's name is not parsed before it is looked up.
  teamsOf: async (db, id) => (uuid.safeParse(id).success ? teamsUsing(db, id) : undefined),
}
