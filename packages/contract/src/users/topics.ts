import { z } from 'zod'
import { topic } from '../topic.ts'

/** The permissions or teams of one user changed. */
export const userTopic = topic({
  path: 'user/:userId',
  access: { self: 'userId' },
  content: z.object({ changed: z.literal('rights') }),
})

/** The list of all users. */
export const usersTopic = topic({
  path: 'users',
  access: { system: 'system_user_view' },
  content: z.object({ changed: z.literal('users') }),
})
