import type { Start } from '../../../http/server.ts'
import { keepPartitions } from './partitions.store.ts'
import { databaseNow } from './samples.store.ts'

const lockTimeout = '55P03'

/**
 * Before the first sample: after a long time off, no partition is there for now. Where another replica is at the tables, it
 * has made what it needs, and the job looks again.
 */
export const start: Start = {
  order: 30,
  run: async (ctx) => {
    await keepPartitions(ctx.db, await databaseNow(ctx.db)).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === lockTimeout)) throw error
      ctx.log.warn({ err: error }, 'the partitions of the metrics are in use, they are looked after later')
    })
  },
}
