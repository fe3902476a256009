import { z } from 'zod'
import { hint, topic } from '../topic.ts'

/** A change in one team. */
export const teamTopic = topic({
  path: 'team/:teamId',
  access: { team: 'teamId' },
  content: z.object({ changed: z.enum(['team', 'members', 'roles']) }),
})

/** The list of all teams. */
export const teamsTopic = hint({ path: 'teams', access: 'user' })
