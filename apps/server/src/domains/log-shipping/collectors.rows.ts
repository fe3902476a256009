import { sql } from 'kysely'
import { rowsToReconcile } from '../../kernel/reconcile.ts'

/** Collectors to create, change or delete. Existing ones are checked now and then, because somebody may delete them. */
export const logCollectors = rowsToReconcile<{ environment: string }>({
  name: 'log-shipping-collectors',
  table: 'log_collector',
  key: ['environment'],
  unsettled: sql`(item.generation <> item.settled or (item.hash <> '' and item.settled_at < now() - interval '10 minutes'))`,
  generation: sql`item.generation`,
  leaseMs: 60_000,
  lookMs: 60_000,
  backOff: { firstMs: 2_000, mostMs: 120_000 },
})
