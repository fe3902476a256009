import { z } from 'zod'
import type { Queue } from '../../../kernel/jobs/queue.ts'

/** Once a minute over all servers, as figures are sampled, and when a rule was saved. */
export const evaluateRules = {
  name: 'alarms-evaluate',
  schema: z.object({}),
  // What fails is left out: the next round looks again.
  retry: { limit: 0, delaySeconds: 0 },
  timeoutSeconds: 55,
} satisfies Queue
