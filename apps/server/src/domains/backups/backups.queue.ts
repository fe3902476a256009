import { z } from 'zod'
import type { Queue } from '../../kernel/jobs/queue.ts'

/** Makes waiting backups. A dump that takes longer than a day is begun again by the next run. */
export const makeBackups = {
  name: 'backups-make',
  schema: z.object({}),
  timeoutSeconds: 86_000,
} satisfies Queue
