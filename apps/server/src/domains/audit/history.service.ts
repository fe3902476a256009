import type { AuditRow } from '@gantry/contract/audit/audit'
import type { List } from '@gantry/contract/paging'
import { countMatches } from '../../db/list.ts'
import type { Ctx } from '../../kernel/context.ts'
import { toList, type Page } from '../../kernel/paging.ts'
import { displayRow } from './audit.service.ts'
import { type About, readRows, rowsAbout } from './audit.read.ts'

/** All calls about an object, newest first, by anybody and whether or not they succeeded. */
export async function historyOf(
  ctx: Ctx,
  about: About,
  keyword: string | undefined,
  at: Page,
): Promise<List<AuditRow>> {
  const rows = rowsAbout(ctx.db, about, keyword)
  const found = await rows
    .select('id')
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  const items = await readRows(
    ctx.db,
    found.map(({ id }) => String(id)),
  )
  return toList(
    items.map((row) => displayRow(ctx, row)),
    await countMatches(ctx.db, rows),
    at,
  )
}
