import { z } from 'zod'
import type { Queue } from '../../kernel/jobs/queue.ts'

/** Woken with each mail that is written. */
export const deliver: Queue = { name: 'settings-deliver-mail', schema: z.object({}), timeoutSeconds: 600 }
