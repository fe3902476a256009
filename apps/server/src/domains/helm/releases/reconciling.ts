import { sql } from 'kysely'
import { rowsToReconcile } from '../../../kernel/reconcile.ts'

/** Releases that helm has to work on. If the server is killed, the row stays, and another round repairs the release. */
export const unsettledReleases = rowsToReconcile<{ id: number }>({
  name: 'helm-release',
  table: 'helm_release',
  key: ['id'],
  unsettled: sql`item.state in ('deploying', 'rolling-back', 'uninstalling')`,
  generation: sql`item.generation`,
  leaseMs: 20_000,
  lookMs: 20_000,
  backOff: { firstMs: 5_000, mostMs: 60_000 },
})
