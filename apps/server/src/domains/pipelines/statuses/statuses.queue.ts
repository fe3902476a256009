import { z } from 'zod'
import type { Queue } from '../../../kernel/jobs/queue.ts'

const schema = z.object({ buildId: z.number().int() })

/** A build changed its state, or its commit became known. Retried for an hour or so if the git host does not answer. */
export const statusChanged: Queue<typeof schema> = {
  name: 'pipelines-tell-forge',
  schema,
  retry: { limit: 8, delaySeconds: 15 },
}
