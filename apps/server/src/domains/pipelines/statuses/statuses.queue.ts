import { z } from 'zod'
import type { Queue } from '../../../kernel/jobs/queue.ts'

const schema = z.object({ buildId: z.number().int() })

/** A build has another state, or its commit is known now. A forge that does not answer is asked again for an hour or so. */
export const statusChanged: Queue<typeof schema> = {
  name: 'pipelines-tell-forge',
  schema,
  retry: { limit: 8, delaySeconds: 15 },
}
