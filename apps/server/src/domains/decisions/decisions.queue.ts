import { z } from 'zod'
import type { Queue } from '../../kernel/jobs/queue.ts'

/** Woken for a team, or for administrators, of whom somebody is to be told by mail what waits for them. */
export const tellDeciders = {
  name: 'decisions-tell',
  schema: z.object({ teamId: z.number().int().nullable() }),
} satisfies Queue
