import { z } from 'zod'
import type { Queue } from '../../../kernel/jobs/queue.ts'

const schema = z.object({ pipelineId: z.number().int(), number: z.number().int() })

/** A build has ended that other pipelines follow. */
export const buildEnded: Queue<typeof schema> = { name: 'pipelines-build-ended', schema }
