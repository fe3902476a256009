import type { Start } from '../../http/server.ts'
import { keepPartitions } from './partitions.store.ts'

/** Before the first sample: after a long time off, no partition is there for now. */
export const start: Start = {
  order: 30,
  run: async (ctx) => {
    await keepPartitions(ctx.db, Date.now())
  },
}
