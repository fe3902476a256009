import { sql } from 'kysely'
import { z } from 'zod'
import { jsonb } from '../../db/json.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'

const Stored = z.object({ days: z.number().int() })
const fallback = { days: 365 }

export async function readRetention({ db }: Pick<Ctx, 'db'>): Promise<{ days: number }> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', 'audit').executeTakeFirst()
  return row ? Stored.parse(row.value) : fallback
}

export const setRetention = (ctx: Ctx, days: number): Promise<{ days: number }> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: 'audit', before: await readRetention(ctx), after: { days } })
    const value = jsonb({ days })
    await ctx.db
      .insertInto('setting')
      .values({ name: 'audit', value })
      .onConflict((c) => c.column('name').doUpdateSet({ value, updated_at: sql`now()` }))
      .execute()
    return { days }
  })

/** So many at a time, so that no statement takes long; the next run goes on where this one stopped. */
const together = 2_000
const atMost = 500

/** Removes what has outlived its time. Answers how many rows. */
export async function expireAudit(ctx: Ctx): Promise<number> {
  const { days } = await readRetention(ctx)
  let gone = 0
  for (let round = 0; round < atMost && !ctx.signal.aborted; round++) {
    const { rows } = await sql<{
      gone: number
    }>`select audit_log_expire(${days}::int, ${together}::int) as gone`.execute(ctx.db)
    gone += rows[0]?.gone ?? 0
    if ((rows[0]?.gone ?? 0) < together) break
  }
  return gone
}
