import { idOrUuid } from '@gantry/contract/ids'
import type { Owner } from '../../http/server.ts'
import { stackTeam } from './stacks.store.ts'

export const owner: Owner = {
  kind: 'stack',
  // a topic's name may carry anything in the place of the id
  teamOf: async (db, text) => {
    const key = idOrUuid.safeParse(text)
    return key.success ? stackTeam(db, key.data) : undefined
  },
}
