import { z } from 'zod'
import type { Queue } from '../../../kernel/jobs/queue.ts'

/** Woken with each build whose issues are told. */
export const tellIssues: Queue = { name: 'pipelines-tell-issues', schema: z.object({}), timeoutSeconds: 600 }
