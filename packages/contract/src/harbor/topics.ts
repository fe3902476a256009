import { z } from 'zod'
import { topic } from '../topic.ts'

/** A Harbor was added, changed or removed, or its projects were given to other teams. */
export const harborsTopic = topic({
  path: 'harbors',
  access: 'admin',
  content: z.object({ harborId: z.number().int() }),
})

/** What a team has in Harbors: projects came or went, or its right to pull from them changed. */
export const namespacesTopic = topic({
  path: 'harbor-namespaces/:teamId',
  access: { team: 'teamId', permission: 'image_harbor_view' },
  content: z.object({ harborId: z.number().int() }),
})
