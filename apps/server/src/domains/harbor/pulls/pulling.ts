import { sql } from 'kysely'
import { rowsToReconcile } from '../../../kernel/reconcile.ts'

/** Teams whose robot in a Harbor does not yet match their projects. */
export const unsettledPulls = rowsToReconcile<{ harbor_id: number; team_id: number }>({
  name: 'harbor-pull',
  table: 'harbor_pull',
  key: ['harbor_id', 'team_id'],
  unsettled: sql`item.settled < item.wanted`,
  generation: sql`item.wanted`,
  leaseMs: 60_000,
  lookMs: 60_000,
  backOff: { firstMs: 5_000, mostMs: 30_000 },
})
