import { z } from 'zod'
import type { Queue } from '../../../kernel/jobs/queue.ts'

/** Woken by each successful build whose issues are to be updated. */
export const updateIssues: Queue = { name: 'pipelines-tell-issues', schema: z.object({}), timeoutSeconds: 600 }
