import { z } from 'zod'
import type { Queue } from '../../kernel/jobs/queue.ts'

/** Mails the users who want to hear what waits for them, of a team or of the administrators (null). */
export const tellDeciders = {
  name: 'decisions-tell',
  schema: z.object({ teamId: z.number().int().nullable() }),
} satisfies Queue
