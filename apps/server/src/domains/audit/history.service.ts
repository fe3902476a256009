import type { AuditRow } from '@gantry/contract/audit/audit'
import type { List } from '@gantry/contract/paging'
import { type Kysely, sql } from 'kysely'
import { anyContains, countMatches } from '../../db/list.ts'
import type { Tables } from '../../db/tables.gen.ts'
import type { Ctx } from '../../kernel/context.ts'
import { listed, type Page } from '../../kernel/paging.ts'
import { displayRow } from './audit.service.ts'
import { readRows } from './audit.read.ts'

interface About {
  teamId: number
  /** The thing of the actions: `service` of `service.upgrade`. */
  of: string
  /** What it lies in; rows name it as `within/name`, or several of one call as `within/name, name`. */
  within: string
  name: string
  since: string
}

const rowsAbout = (db: Kysely<Tables>, { teamId, of, within, name, since }: About, keyword: string | undefined) =>
  db
    .selectFrom('audit_log')
    .where('team_id', '=', teamId)
    .where(sql<boolean>`started_at >= ${since}::timestamptz - interval '1 hour'`)
    // what made it began before it was there
    .where(sql<boolean>`started_at + duration_ms * interval '1 millisecond' >= ${since}::timestamptz`)
    .where('action', 'like', `${of}.%`)
    .where(sql<boolean>`starts_with(object, ${`${within}/`})`)
    .where(sql<boolean>`${name} = any (string_to_array(substr(object, ${within.length + 2}::int), ', '))`)
    .$if(keyword !== undefined && keyword !== '', (q) => q.where(anyContains(['actor_name', 'action'], keyword ?? '')))

/** What was asked for of an object, newest first, whoever asked and whether or not it was done. */
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
  return listed(
    items.map((row) => displayRow(ctx, row)),
    await countMatches(ctx.db, rows),
    at,
  )
}
