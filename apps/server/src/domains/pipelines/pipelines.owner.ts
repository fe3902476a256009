import { idOrUuid } from '@gantry/contract/ids'
import type { Owner } from '../../http/server.ts'
import { pipelineTeam } from './pipelines.store.ts'

export const owner: Owner = {
  kind: 'pipeline',
  // a topic's name may carry anything in the place of the id
  teamOf: async (db, text) => {
    const key = idOrUuid.safeParse(text)
    return key.success ? pipelineTeam(db, key.data) : undefined
  },
}
