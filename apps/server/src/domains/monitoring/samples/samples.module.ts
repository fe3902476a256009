import { defineModule } from '../../../module.ts'
import { scheduled } from '../../../kernel/jobs/jobs.ts'
import type { Start } from '../../../http/server.ts'
import { keepPartitions } from './partitions.store.ts'
import { sampleAll } from './sampling.service.ts'
import { databaseNow } from '../../../db/clock.ts'
import { averageHours } from './samples.store.ts'

const lockTimeout = '55P03'

/**
 * Before the first sample, because after a long downtime no partition exists for now. If another replica uses the
 * tables, it has created what it needs, and the job looks again.
 */
export const start: Start = {
  order: 30,
  run: async (ctx) => {
    await keepPartitions(ctx.db, (await databaseNow(ctx.db)).getTime()).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === lockTimeout)) throw error
      ctx.log.warn({ err: error }, 'the partitions of the metrics are in use, they are looked after later')
    })
  },
}

/** Once a minute across all replicas. A repeated run writes the same minute again; what comes too late is a gap. */
const sample = scheduled({
  name: 'monitoring-sample',
  every: 60,
  retry: { limit: 0, delaySeconds: 0 },
  timeoutSeconds: 55,
  run: sampleAll,
})

const average = scheduled({
  name: 'monitoring-average',
  every: 600,
  run: async (ctx) => {
    await averageHours(ctx.db, (await databaseNow(ctx.db)).getTime())
  },
})

const partitions = scheduled({
  name: 'monitoring-partitions',
  every: 3600,
  run: async (ctx) => {
    const dropped = await keepPartitions(ctx.db, (await databaseNow(ctx.db)).getTime())
    if (dropped > 0) ctx.log.info({ dropped }, 'metrics whose time is over were removed')
  },
})

export const module = defineModule({
  jobs: [sample, average, partitions],
  onStart: start,
})
