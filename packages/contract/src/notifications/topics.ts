import { z } from 'zod'
import { topic } from '../topic.ts'

/** A user got a notification, or marked some as read. */
export const notificationsTopic = topic({
  path: 'notifications/:userId',
  access: { self: 'userId' },
  content: z.object({ changed: z.enum(['new', 'read']) }),
})
