import { sql } from 'kysely'
import { rowsToReconcile } from '../../../kernel/reconcile.ts'

/** Teams that may no longer use a cluster; reconciled until the hosts dedicated to them are returned to all. */
export const undedications = rowsToReconcile<{ environment: string; team_id: number }>({
  name: 'clusters-return-hosts',
  table: 'host_return',
  key: ['environment', 'team_id'],
  unsettled: sql`true`,
  generation: sql`item.asked_at`,
  leaseMs: 60_000,
  lookMs: 10_000,
  backOff: { firstMs: 30_000, mostMs: 300_000 },
})
