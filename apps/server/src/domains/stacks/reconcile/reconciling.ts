import { sql } from 'kysely'
import { rowsToReconcile } from '../../../kernel/reconcile.ts'

const timing = { leaseMs: 10_000, lookMs: 10_000, backOff: { firstMs: 5000, mostMs: 60_000 } }

/** Stacks that have not been applied to their cluster. */
export const unsettledStacks = rowsToReconcile<{ id: number }>({
  name: 'stacks-stack',
  table: 'stack',
  key: ['id'],
  unsettled: sql`item.state in ('creating', 'deleting')`,
  generation: sql`(item.state, item.cpu, item.memory)`,
  ...timing,
})

/** Services that their cluster is working on. Services of a stack whose namespace does not exist yet wait for it. */
export const unsettledServices = rowsToReconcile<{ id: number }>({
  name: 'stacks-service',
  table: 'service',
  key: ['id'],
  unsettled: sql`item.state not in ('stable', 'upgraded', 'stopped', 'failed')
    and exists (select from stack where stack.id = item.stack_id and stack.state = 'running')`,
  generation: sql`item.generation`,
  ...timing,
})
