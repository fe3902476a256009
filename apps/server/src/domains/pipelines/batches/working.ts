import { sql } from 'kysely'
import { rowsToReconcile } from '../../../kernel/reconcile.ts'

/** Batches that are being applied or restored. Each retry and each restore is a new generation. */
export const workingBatches = rowsToReconcile<{ id: number }>({
  name: 'pipelines-batch',
  table: 'pipeline_batch',
  key: ['id'],
  unsettled: sql`item.state in ('EDITING', 'RESTORING')`,
  generation: sql`item.turn`,
  leaseMs: 30_000,
  lookMs: 30_000,
  backOff: { firstMs: 1000, mostMs: 60_000 },
})
