import { z } from 'zod'
import type { Queue } from '../../../kernel/jobs/queue.ts'

const schema = z.object({ buildId: z.number().int() })

/** Builds whose definition, a file of their commit, is still to be read. */
export const definitionWanted: Queue<typeof schema> = {
  name: 'pipelines-read-definition',
  schema,
  retry: { limit: 8, delaySeconds: 2 },
  timeoutSeconds: 120,
}
