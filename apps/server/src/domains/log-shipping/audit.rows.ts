import { sql } from 'kysely'
import { rowsToReconcile } from '../../kernel/reconcile.ts'

/** A single row, whose lease holder sends the records of the audit log. Other settings end its round. */
export const auditShipping = rowsToReconcile<{ id: number }>({
  name: 'log-shipping-audit',
  table: 'audit_shipper',
  key: ['id'],
  unsettled: sql`exists (select from audit_shipment)`,
  generation: sql`coalesce((select value ->> 'revision' from setting where name = 'kafka'), '')`,
  leaseMs: 60_000,
  lookMs: 10_000,
  backOff: { firstMs: 1_000, mostMs: 60_000 },
})
