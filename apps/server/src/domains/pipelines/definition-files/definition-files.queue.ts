import { z } from 'zod'
import type { Queue } from '../../../kernel/jobs/queue.ts'

const schema = z.object({ buildId: z.number().int() })

/** A build waits for its definition, which is a file of its commit. */
export const definitionWanted: Queue<typeof schema> = {
  name: 'pipelines-read-definition',
  schema,
  retry: { limit: 8, delaySeconds: 2 },
  timeoutSeconds: 120,
}
