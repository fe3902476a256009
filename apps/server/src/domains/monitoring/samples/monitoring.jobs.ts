import { z } from 'zod'
import { type Job, job } from '../../../kernel/jobs/jobs.ts'
import { keepPartitions } from './partitions.store.ts'
import { sampleAll } from './sampling.service.ts'
import { averageHours, databaseNow } from './samples.store.ts'

/** Once a minute over all replicas. Repeated, it writes the same minute again; what comes too late is a gap. */
const sample = job({
  name: 'monitoring-sample',
  schema: z.object({}),
  every: 60,
  retry: { limit: 0, delaySeconds: 0 },
  timeoutSeconds: 55,
  run: sampleAll,
})

const average = job({
  name: 'monitoring-average',
  schema: z.object({}),
  every: 600,
  run: async (ctx) => {
    await averageHours(ctx.db, await databaseNow(ctx.db))
  },
})

const partitions = job({
  name: 'monitoring-partitions',
  schema: z.object({}),
  every: 3600,
  run: async (ctx) => {
    const dropped = await keepPartitions(ctx.db, await databaseNow(ctx.db))
    if (dropped > 0) ctx.log.info({ dropped }, 'metrics whose time is over were removed')
  },
})

export const jobs: Job[] = [sample, average, partitions]
