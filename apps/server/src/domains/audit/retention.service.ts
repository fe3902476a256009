import { z } from 'zod'
import { findSetting, writeSetting } from '../../db/setting.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { expireRows } from './audit.read.ts'

const Stored = z.object({ days: z.number().int() })
const fallback = { days: 365 }
const name = 'audit'

export const readRetention = async ({ db }: Pick<Ctx, 'db'>): Promise<{ days: number }> =>
  (await findSetting(db, name, Stored)) ?? fallback

export const setRetention = (ctx: Ctx, days: number): Promise<{ days: number }> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: name, before: await readRetention(ctx), after: { days } })
    await writeSetting(ctx.db, name, { days })
    return { days }
  })

/** Batch size, so that no statement takes long; the next run continues where this one stopped. */
const together = 2_000
const atMost = 500

/** Deletes expired rows. Returns how many. */
export async function expireAudit(ctx: Ctx): Promise<number> {
  const { days } = await readRetention(ctx)
  let gone = 0
  for (let round = 0; round < atMost && !ctx.signal.aborted; round++) {
    const some = await expireRows(ctx.db, days, together)
    gone += some
    if (some < together) break
  }
  return gone
}
