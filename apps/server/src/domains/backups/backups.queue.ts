import { z } from 'zod'
import type { Queue } from '../../kernel/jobs/queue.ts'

/** Makes the backups that wait. What a dump does not finish in a day, the next look begins again. */
export const makeBackups = {
  name: 'backups-make',
  schema: z.object({}),
  timeoutSeconds: 86_000,
} satisfies Queue
