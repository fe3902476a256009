import type { AuditRow } from '@gantry/contract/audit/audit'
import { type Kysely, sql } from 'kysely'
import { sorting } from '../../db/list.ts'
import type { Tables } from '../../db/tables.gen.ts'
import { countCap } from '../../kernel/paging.ts'
import { conditionsOf, hasText, isHopeless, isShort, type Scope, scopeOf, type Search, timeOf } from './audit.filter.ts'

/**
 * How a page of millions of rows is found without trusting the planner's guess at how many contain a text, which is wrong
 * by a factor of thousands either way. The newest rows are looked through first: whatever is frequent fills the page from
 * them. What they hold too little of is rare, and then the indexes answer: by the text's groups of three characters, or by
 * the values of a column. Measured in bench/audit.ts.
 */
const window = 20_000
/** So many for texts that are too short for the index. */
const shortWindow = 50_000
/** Above this share of the newest rows, counting them one by one beats the index. */
const frequent = 0.1

export interface Found {
  ids: string[]
  total: number
  /** Older rows were not looked at. */
  truncated: boolean
}

interface Slice {
  limit: number
  offset: number
}

const order = (search: Search): 'asc' | 'desc' => sorting(search.filters.sort ?? '-startTime', ['startTime']).direction

const inOrder = (search: Search) => {
  const direction = sql.raw(order(search))
  return sql`started_at ${direction}, id ${direction}`
}

const sliced = (search: Search, { limit, offset }: Slice) =>
  sql<string[]>`coalesce((array_agg(id order by ${inOrder(search)}))[${offset + 1}::int:${offset + limit}::int], '{}')`

/** The first rows of the list's order, whatever they are, and whether each is wanted. */
const newest = (db: Kysely<Tables>, search: Search, limit: number) =>
  db
    .selectFrom('audit_log')
    .select(['id', 'started_at'])
    .select((eb) => sql<boolean>`${conditionsOf(search)(eb)}`.as('hit'))
    .where(timeOf(search))
    .orderBy('started_at', order(search))
    .orderBy('id', order(search))
    .limit(limit)

async function amongNewest(db: Kysely<Tables>, search: Search, slice: Slice, limit: number) {
  const direction = inOrder(search)
  const { rows } = await sql<{ seen: number; matched: number; ids: string[] }>`
    select count(*)::int as seen, count(*) filter (where hit)::int as matched,
      coalesce((array_agg(id order by ${direction}) filter (where hit))[${slice.offset + 1}::int:${slice.offset + slice.limit}::int], '{}') as ids
    from (${newest(db, search, limit)}) as recent`.execute(db)
  return rows[0] ?? { seen: 0, matched: 0, ids: [] }
}

const matching = (db: Kysely<Tables>, search: Search) =>
  db.selectFrom('audit_log').where(timeOf(search)).where(conditionsOf(search))

/** Counts no further than a list's total goes. */
async function count(db: Kysely<Tables>, from: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ found: number }>`select count(*)::int as found from (${from}) as matching`.execute(db)
  return rows[0]?.found ?? 0
}

async function countAll(db: Kysely<Tables>, search: Search, share: number): Promise<number> {
  const most = countCap + 1
  if (share >= frequent) {
    const many = Math.ceil((2 * most) / frequent)
    const one = sql`select 1 from (${newest(db, search, many)}) as recent where hit limit ${most}`
    const found = await count(db, one)
    if (found === most) return found
  }
  return count(
    db,
    sql`${matching(db, search)
      .select(sql`1`.as('one'))
      .limit(most)}`,
  )
}

/** All that match are gathered first and then sorted: walking in the list's order would pass millions to find the few. */
async function amongAll(db: Kysely<Tables>, search: Search, slice: Slice): Promise<Found> {
  const hit = matching(db, search).select(['id', 'started_at'])
  const { rows } = await sql<{ ids: string[]; total: number }>`
    with hit as materialized (${hit}) select ${sliced(search, slice)} as ids, count(*)::int as total from hit`.execute(
    db,
  )
  return { ...(rows[0] ?? { ids: [], total: 0 }), truncated: false }
}

async function byValues(db: Kysely<Tables>, search: Search, { limit, offset }: Slice): Promise<Found> {
  const rows = await matching(db, search)
    .select('id')
    .orderBy('started_at', order(search))
    .orderBy('id', order(search))
    .limit(limit)
    .offset(offset)
    .execute()
  return { ids: rows.map((row) => String(row.id)), total: await countAll(db, search, 0), truncated: false }
}

/** The planner may not choose to read the whole table where it guesses that much would match. */
const byIndex = <T>(db: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    return work(tx)
  })

export async function findAudit(db: Kysely<Tables>, search: Search, slice: Slice): Promise<Found> {
  if (isHopeless(search)) return { ids: [], total: 0, truncated: false }
  const short = isShort(search)
  const most = short ? shortWindow : window
  const { seen, matched, ids } = await amongNewest(db, search, slice, most)
  if (seen < most || matched > countCap) return { ids, total: matched, truncated: false }
  if (short) return { ids, total: matched, truncated: true }
  return byIndex(db, async (db) => {
    if (matched >= slice.offset + slice.limit)
      return { ids, total: await countAll(db, search, matched / seen), truncated: false }
    return hasText(search) ? amongAll(db, search, slice) : byValues(db, search, slice)
  })
}

export type StoredRow = Omit<AuditRow, 'action' | 'reason'>

const rowsOf = (db: Kysely<Tables>) =>
  db
    .selectFrom('audit_log')
    .leftJoin('team', 'team.id', 'audit_log.team_id')
    .select(['audit_log.id', 'actor_id as userId', 'actor_name as username', 'ip', 'audit_log.team_id as teamId'])
    .select((eb) => eb.fn.coalesce('team.name', sql<string>`''`).as('teamName'))
    .select(['method', 'url', 'action as apiValue', 'object', 'message as msg', 'request_id as requestId'])
    .select(sql<0 | 1>`case when status < 400 then 1 else 0 end`.as('result'))
    .select(['started_at as startTime', 'duration_ms as durationMs'])

/** In the order of the ids. */
export async function readRows(db: Kysely<Tables>, ids: string[]) {
  if (ids.length === 0) return []
  const rows = await rowsOf(db).where('audit_log.id', 'in', ids.map(Number)).execute()
  const byId = new Map(rows.map((row) => [String(row.id), row]))
  return ids.flatMap((id) => byId.get(String(id)) ?? [])
}

export const readRow = (db: Kysely<Tables>, id: number, scope: Scope | undefined) =>
  rowsOf(db)
    .select('detail')
    .where('audit_log.id', '=', id)
    .where((eb) => scopeOf(scope)(eb as never))
    .executeTakeFirst()

/** The rows of a window after `after`, in the list's order, and where the next one begins; undefined at the end. */
export async function walk(
  db: Kysely<Tables>,
  search: Search,
  after: string | undefined,
): Promise<{ ids: string[]; last: string | undefined }> {
  const { rows } = await sql<{ ids: string[]; last: string | null }>`
    select coalesce(array_agg(id order by started_at desc, id desc) filter (where hit), '{}') as ids,
      (array_agg(id order by started_at, id))[1] as last
    from (
      ${newest(db, { ...search, filters: { ...search.filters, sort: undefined } }, window).$if(
        after !== undefined,
        (q) =>
          q.where(sql<boolean>`(started_at, id) < (select started_at, id from audit_log where id = ${Number(after)})`),
      )}
    ) as recent`.execute(db)
  return { ids: rows[0]?.ids ?? [], last: rows[0]?.last ?? undefined }
}
