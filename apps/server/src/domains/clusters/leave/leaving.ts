import { sql } from 'kysely'
import { rowsToReconcile } from '../../../kernel/reconcile.ts'

/** Clusters from which everything the product created is deleted, and then their record. Another call restarts it. */
export const leavingClusters = rowsToReconcile<{ uuid: string }>({
  name: 'clusters-leave',
  table: 'environment',
  key: ['uuid'],
  unsettled: sql`item.leaving_since is not null`,
  generation: sql`item.leaving_since`,
  leaseMs: 300_000,
  lookMs: 60_000,
  backOff: { firstMs: 10_000, mostMs: 600_000 },
})

/** A round that fails after this many minutes is the last. */
export const leaveMinutes = 40
