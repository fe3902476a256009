import { sql } from 'kysely'
import { jsonb } from '../../db/json.ts'
import type { Db } from '../../db/tables.gen.ts'
import type { Reason } from '../../kernel/phrase.ts'

/** The oldest waiting records, in order. `record` is null if it has expired meanwhile. */
export async function nextRecords(db: Db, limit: number) {
  const { rows } = await sql<{ id: string; record: object | null; short: object | null }>`
    select waiting.audit_id::text as id, to_jsonb(shown) as record, to_jsonb(shown) - 'before' - 'after' as short
    from (select audit_id from audit_shipment order by audit_id limit ${limit}) as waiting
    left join lateral (
      select id::text, started_at as time, duration_ms as "durationMs",
        json_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name) as actor,
        team_id as "teamId", action, method, url, object, status, message as reason, ip, request_id as "requestId",
        detail -> 'before' as before, detail -> 'after' as after
      from audit_log where audit_log.id = waiting.audit_id
    ) as shown on true
    order by waiting.audit_id`.execute(db)
  return rows
}

/** Returns whether an earlier attempt had failed. */
export async function noteSent(db: Db, ids: string[]): Promise<boolean> {
  await sql`delete from audit_shipment where audit_id = any(${ids}::bigint[])`.execute(db)
  const { rows } = await sql<{ failed: boolean }>`
    with before as (select failures > 0 as failed from audit_shipper)
    update audit_shipper set sent_at = now(), problem = null, failures = 0 returning (select failed from before)`.execute(
    db,
  )
  return rows[0]?.failed ?? false
}

/** Returns the number of consecutive failures. */
export async function noteFailure(db: Db, problem: Reason): Promise<number> {
  const { failures } = await db
    .updateTable('audit_shipper')
    .set((eb) => ({ problem: jsonb(problem), failures: eb('failures', '+', 1) }))
    .returning('failures')
    .executeTakeFirstOrThrow()
  return failures
}
