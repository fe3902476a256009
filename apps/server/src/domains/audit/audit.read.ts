import type { AuditRow } from '@gantry/contract/audit/audit'
import { expressionBuilder, sql } from 'kysely'
import { anyContains, countMatches, sorting } from '../../db/list.ts'
import type { Db, Tables } from '../../db/tables.gen.ts'
import { countCap } from '../../kernel/paging.ts'
import {
  conditionsOf,
  isHopeless,
  isShort,
  type Lookup,
  type Scope,
  scopeOf,
  type Search,
  textsOf,
  timeOf,
} from './filter.read.ts'
import { rarestPart } from './rare-part.ts'

/**
 * How a page of millions of rows is found without the planner's estimate of how many contain a text, which is wrong by
 * a factor of thousands either way. The newest rows are scanned first: frequent matches fill the page from them.
 * Whatever does not fill the page so is rare, and is found by the indexes: by the text's trigrams, or by the values of
 * a column. Measured in bench/audit.ts.
 */
const window = 20_000
/** The window for texts that are too short for the index. */
const shortWindow = 50_000

export interface Found {
  ids: string[]
  total: number
  /** Whether older rows were left unsearched. */
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

/** The first rows in the list's order, each with whether it matches. */
const newest = (db: Db, search: Search, limit: number) =>
  db
    .selectFrom('audit_log')
    .select(['id', 'started_at'])
    .select((eb) => sql<boolean>`${conditionsOf(search)(eb)}`.as('hit'))
    .where(timeOf(search))
    .orderBy('started_at', order(search))
    .orderBy('id', order(search))
    .limit(limit)

async function amongNewest(db: Db, search: Search, slice: Slice, limit: number) {
  const direction = inOrder(search)
  const { rows } = await sql<{ seen: number; matched: number; ids: string[] }>`
    select count(*)::int as seen, count(*) filter (where hit)::int as matched,
      coalesce((array_agg(id order by ${direction}) filter (where hit))[${slice.offset + 1}::int:${slice.offset + slice.limit}::int], '{}') as ids
    from (${newest(db, search, limit)}) as recent`.execute(db)
  return rows[0] ?? { seen: 0, matched: 0, ids: [] }
}

const matching = (db: Db, search: Search, lookup?: Lookup) =>
  db.selectFrom('audit_log').where(timeOf(search)).where(conditionsOf(search, lookup))

/** Of the searched texts, the part that is rarest in a sample: the others only filter its hits. */
async function lookupOf(db: Db, search: Search): Promise<Lookup | undefined> {
  const texts = textsOf(search)
  const columns = [...new Set(texts.flatMap((text) => text.columns))]
  if (columns.length === 0) return undefined
  const { rows } = await sql<Record<string, string>>`
    select ${sql.join(columns.map((column) => sql`lower(${sql.ref(column)}) as ${sql.ref(column)}`))}
    from audit_log tablesample system (0.1) repeatable (1)`.execute(db)
  const parts = texts.map(({ name, text, columns }) => ({
    name,
    ...rarestPart(
      rows.map((row) => columns.map((column) => row[column] ?? '').join('\n')),
      text,
    ),
  }))
  return parts.toSorted((a, b) => a.share - b.share)[0]
}

/** Percentage of pages to sample across the table; that many hits there certainly mean more than the cap. */
const sampled = 0.5
const certain = (2 * countCap * sampled) / 100

/** Whether there are more matches than the cap, by a sample: reading ten thousand rows costs twenty times more. */
async function exceedsCap(db: Db, search: Search): Promise<boolean> {
  const { rows } = await sql<{ hits: number }>`
    select count(*)::int as hits from audit_log tablesample system (${sql.lit(sampled)}) repeatable (1)
    where ${timeOf(search)(expressionBuilder<Tables, 'audit_log'>())} and ${conditionsOf(search)(expressionBuilder<Tables, 'audit_log'>())}`.execute(
    db,
  )
  return (rows[0]?.hits ?? 0) >= certain
}

async function countAll(db: Db, search: Search, lookup?: Lookup): Promise<number> {
  if (await exceedsCap(db, search)) return countCap + 1
  return countMatches(db, matching(db, search, lookup))
}

/** Collects all matches first and then sorts: walking in the list's order would pass millions to find the few. */
async function amongAll(db: Db, search: Search, slice: Slice, lookup: Lookup): Promise<Found> {
  const hit = matching(db, search, lookup).select(['id', 'started_at'])
  const { rows } = await sql<{ ids: string[]; total: number }>`
    with hit as materialized (${hit}) select ${sliced(search, slice)} as ids, count(*)::int as total from hit`.execute(
    db,
  )
  return { ...(rows[0] ?? { ids: [], total: 0 }), truncated: false }
}

async function byValues(db: Db, search: Search, { limit, offset }: Slice): Promise<Found> {
  const rows = await matching(db, search)
    .select('id')
    .orderBy('started_at', order(search))
    .orderBy('id', order(search))
    .limit(limit)
    .offset(offset)
    .execute()
  return { ids: rows.map((row) => String(row.id)), total: await countAll(db, search), truncated: false }
}

/**
 * Keeps the planner from scanning the whole table where it overestimates the matches, and the bitmap exact: lossy pages
 * would read most of the table after all.
 */
const byIndex = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (tx) => {
    await sql`select set_config('enable_seqscan', 'off', true), set_config('work_mem', '32MB', true)`.execute(tx)
    return work(tx)
  })

export async function findAudit(db: Db, search: Search, slice: Slice): Promise<Found> {
  if (isHopeless(search)) return { ids: [], total: 0, truncated: false }
  const short = isShort(search)
  const most = short ? shortWindow : window
  const { seen, matched, ids } = await amongNewest(db, search, slice, most)
  if (seen < most || matched > countCap) return { ids, total: matched, truncated: false }
  if (short) return { ids, total: matched, truncated: true }
  return byIndex(db, async (db) => {
    const lookup = await lookupOf(db, search)
    if (matched >= slice.offset + slice.limit)
      return { ids, total: await countAll(db, search, lookup), truncated: false }
    return lookup ? amongAll(db, search, slice, lookup) : byValues(db, search, slice)
  })
}

export interface StoredRow extends Omit<AuditRow, 'action' | 'reason'> {
  requestId: string
}

const rowsOf = (db: Db) =>
  db
    .selectFrom('audit_log')
    .leftJoin('team', 'team.id', 'audit_log.team_id')
    .select(['audit_log.id', 'actor_id as userId', 'actor_name as username', 'ip', 'audit_log.team_id as teamId'])
    .select((eb) => eb.fn.coalesce('team.name', sql<string>`''`).as('teamName'))
    .select(['method', 'url', 'action as apiValue', 'object', 'message as msg', 'request_id as requestId'])
    .select(sql<0 | 1>`case when status < 400 then 1 else 0 end`.as('result'))
    .select(['started_at as startTime', 'duration_ms as durationMs'])

/** Reads rows in the order of the ids. */
export async function readRows(db: Db, ids: string[]) {
  if (ids.length === 0) return []
  const rows = await rowsOf(db).where('audit_log.id', 'in', ids.map(Number)).execute()
  const byId = new Map(rows.map((row) => [String(row.id), row]))
  return ids.flatMap((id) => byId.get(String(id)) ?? [])
}

export const readRow = (db: Db, id: number, scope: Scope | undefined) =>
  rowsOf(db)
    .select('detail')
    .where('audit_log.id', '=', id)
    .where((eb) => scopeOf(scope)(eb as never))
    .executeTakeFirst()

/** The rows of a window after `after`, in the list's order, and where the next one begins; undefined at the end. */
export async function walk(
  db: Db,
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

export interface About {
  teamId: number
  /** The kind of object in the actions: `service` in `service.upgrade`. */
  of: string
  /** What contains the object; rows name it as `within/name`, or for several in one call `within/name, name`. */
  within: string
  name: string
  since: string
}

/** Rows of calls about an object. */
export const rowsAbout = (db: Db, { teamId, of, within, name, since }: About, keyword: string | undefined) =>
  db
    .selectFrom('audit_log')
    .where('team_id', '=', teamId)
    .where(sql<boolean>`started_at >= ${since}::timestamptz - interval '1 hour'`)
    // the call that created the object began before the object existed
    .where(sql<boolean>`started_at + duration_ms * interval '1 millisecond' >= ${since}::timestamptz`)
    .where('action', 'like', `${of}.%`)
    .where(sql<boolean>`starts_with(object, ${`${within}/`})`)
    .where(sql<boolean>`${name} = any (string_to_array(substr(object, ${within.length + 2}::int), ', '))`)
    .$if(keyword !== undefined && keyword !== '', (q) => q.where(anyContains(['actor_name', 'action'], keyword ?? '')))

/** Deletes at most so many expired rows; returns how many. */
export async function expireRows(db: Db, days: number, atMost: number): Promise<number> {
  const { rows } = await sql<{ gone: number }>`select audit_log_expire(${days}::int, ${atMost}::int) as gone`.execute(
    db,
  )
  return rows[0]?.gone ?? 0
}
