import { sql } from 'kysely'
import { rowsToReconcile } from '../../../kernel/reconcile.ts'

/** Hosts that are being drained. Restarting or ending a drain changes its generation. */
export const runningDrains = rowsToReconcile<{ environment: string; host: string }>({
  name: 'clusters-drain',
  table: 'host_drain',
  key: ['environment', 'host'],
  unsettled: sql`item.state = 'draining'`,
  generation: sql`(item.state, item.started_at)`,
  until: 'lease_until',
  leaseMs: 30_000,
  lookMs: 30_000,
  backOff: { firstMs: 1000, mostMs: 30_000 },
})
