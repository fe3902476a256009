import { z } from 'zod'
import { hint, topic } from '../topic.ts'

/** Releases of a team: one was added, changed its state, or has an operation running. */
export const releasesTopic = topic({
  path: 'helm-releases/:teamId',
  access: { team: 'teamId', permission: 'helm_release_view' },
  content: z.object({ releaseId: z.number().int(), state: z.string() }),
})

/** A chart repository was added, read or changed, or the teams that may deploy from it changed. */
export const repositoriesTopic = hint({ path: 'helm-repositories', access: 'user' })
