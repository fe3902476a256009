import { z } from 'zod'
import type { Queue } from '../../kernel/queue.ts'

/** Gives back to all what teams kept of clusters that they may no longer use. */
export const hostReturns = {
  name: 'clusters-return-hosts',
  schema: z.object({}),
  retry: { limit: 0, delaySeconds: 0 },
} satisfies Queue
