import { sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { rowsToReconcile } from '../../../kernel/reconcile.ts'
import type { Seen } from './seen.ts'

/** Services with autoscaling, while they run. */
export const scaledServices = rowsToReconcile<{ id: number }>({
  name: 'stacks-scaling',
  table: 'service',
  key: ['id'],
  unsettled: sql`item.state in ('stable', 'upgraded', 'upgrading', 'deploying', 'restarting')
    and item.spec #>> '{autoscaling,paused}' = 'false'
    and exists (select from stack where stack.id = item.stack_id and stack.state = 'running')`,
  generation: sql`item.generation`,
  until: 'scale_until',
  round: 'scale_round',
  leaseMs: 15_000,
  lookMs: 15_000,
  backOff: { firstMs: 5000, mostMs: 60_000 },
})

/** Stores the result of a round. */
export const noteScaling = (db: Db, id: number, instances: number, seen: Seen) =>
  db
    .updateTable('service')
    .set({ instances, scaling: jsonb(seen) })
    .where('id', '=', id)
    .execute()
