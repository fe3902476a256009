import { z } from 'zod'
import type { Queue } from '../../../kernel/jobs/queue.ts'

/** Runs once a minute across all servers, as often as figures are sampled, and when a rule was saved. */
export const evaluateRules = {
  name: 'alarms-evaluate',
  schema: z.object({}),
  // a failed round is not repeated: the next one looks again
  retry: { limit: 0, delaySeconds: 0 },
  timeoutSeconds: 55,
} satisfies Queue
