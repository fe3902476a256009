import { sql } from 'kysely'
import type { Ctx } from '../context.ts'
import { sealedPattern } from './masking.ts'
import { resealed } from './secrets.ts'

/** Rows are never updated, and contain no secret. */
const appendOnly = 'audit_log'

/** Every column that can hold text; a sealed secret is found by its shape, so no list has to be maintained. */
const columnsOf = (ctx: Ctx) =>
  sql<{ table: string; column: string; json: boolean }>`
    select c.relname as "table", a.attname as "column", t.typname = 'jsonb' as json
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and t.typname in ('text', 'jsonb') and c.relname <> ${appendOnly}
    order by 1, 2`
    .execute(ctx.db)
    .then(({ rows }) => rows)

/** Text that only looks like a sealed secret, or was sealed by another installation, stays as it is. */
function resealedOr({ keys }: Ctx, found: string): string {
  try {
    return resealed({ keys }, found) ?? found
  } catch {
    return found
  }
}

const batch = 500

/**
 * Reseals every stored secret under the current key; the older keys in GANTRY_SECRET_KEY may be dropped afterwards. May
 * run beside the server, and again after an interruption: a row that somebody changes meanwhile keeps that change.
 * Returns the number of changed rows.
 */
export async function resealAll(ctx: Ctx): Promise<number> {
  // The same syntax in PostgreSQL.
  const stale = sealedPattern.source.replace('[0-9a-f]{8}', `(?!${ctx.keys.current})[0-9a-f]{8}`)
  let changed = 0
  for (const { table, column, json } of await columnsOf(ctx)) {
    const [from, what] = [sql.table(table), sql.ref(column)]
    let after = '(0,0)'
    for (;;) {
      const { rows } = await sql<{ at: string; text: string }>`
        select ctid::text as at, ${what}::text as text from ${from}
        where ctid > ${after}::tid and ${what}::text ~ ${stale} order by ctid limit ${batch}`.execute(ctx.db)
      for (const { at, text } of rows) {
        after = at
        const next = text.replaceAll(sealedPattern, (found) => resealedOr(ctx, found))
        if (next === text) continue
        const value = json ? sql`${next}::jsonb` : sql`${next}`
        const done =
          await sql`update ${from} set ${what} = ${value} where ctid = ${at}::tid and ${what}::text = ${text}`.execute(
            ctx.db,
          )
        changed += Number(done.numAffectedRows ?? 0)
      }
      if (rows.length < batch) break
    }
  }
  return changed
}
