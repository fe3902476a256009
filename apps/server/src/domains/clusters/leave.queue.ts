import { z } from 'zod'
import type { Queue } from '../../kernel/queue.ts'

/** Deletes what the product made in a cluster, and forgets it. A cluster that does not answer is asked for about an hour. */
export const leave = {
  name: 'clusters-leave',
  schema: z.object({ uuid: z.string(), name: z.string() }),
  retry: { limit: 8, delaySeconds: 10 },
  timeoutSeconds: 600,
} satisfies Queue

/** A run that fails after so many is the last one: the pauses of all come to 42 at the least. */
export const leaveMinutes = 40
