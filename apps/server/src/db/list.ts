import { type SelectQueryBuilder, sql } from 'kysely'
import { Fault } from '../kernel/fault.ts'
import { countCap, type Page } from '../kernel/paging.ts'
import { prepared } from './open.ts'
import type { Db } from './tables.gen.ts'

/** Escapes the wildcards of a LIKE pattern. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** Whether one of the columns contains the text, ignoring case. */
export const anyContains = (columns: readonly string[], text: string) => {
  const pattern = `%${escapeLike(text)}%`
  return sql<boolean>`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} ilike ${pattern}`),
    sql` or `,
  )})`
}

/**
 * Names sort as people count, `api-12` before `api-108`, and by code point for the rest, whatever the database's
 * collation; compareNames() sorts rows in memory in the same way. PostgreSQL computes it for every row that it sorts or
 * skips, at the cost of reading the row: tables with thousands of rows store it as `natural_name`.
 */
export const byName = (column: string) => sql`name_order(${sql.ref(column)}) collate "C"`

/** Parses a list's `sort`: `name`, or `-name` for descending. Refuses a name that the list cannot be sorted by. */
export function sorting<Name extends string>(
  sort: string | undefined,
  names: readonly [Name, ...Name[]],
): { by: Name; direction: 'asc' | 'desc' } {
  const direction = sort?.startsWith('-') ? 'desc' : 'asc'
  const field = sort?.replace(/^-/, '')
  const by = field ? names.find((name) => name === field) : names[0]
  if (!by) throw new Fault('invalid', 'field-one-of', { values: names.join(', ') })
  return { by, direction }
}

/**
 * First pages of a usual size, as the console opens a list. PostgreSQL takes longer to plan a list's joins than to run
 * them, so unfiltered ones are prepared; the other statements are too many for each connection to keep.
 */
const isUsual = ({ offset, limit }: Pick<Page, 'offset' | 'limit'>): boolean =>
  offset === 0 && [10, 20, 50, 100].includes(limit)

/** The limit of a usual page is a literal: for a parameter, PostgreSQL plans as if a tenth of all rows were wanted. */
export const onlyPage =
  (at: Pick<Page, 'offset' | 'limit'>) =>
  <DB, TB extends keyof DB, O>(rows: SelectQueryBuilder<DB, TB, O>) =>
    isUsual(at) ? rows.limit(sql.lit(at.limit)) : rows.limit(at.limit).offset(at.offset)

/** Rows whose id is on the page: joins and counts are then computed for these only, not for all rows before them. */
export const anyOf = <DB, TB extends keyof DB, O>(column: string, page: SelectQueryBuilder<DB, TB, O>) =>
  sql<boolean>`${sql.ref(column)} = any(array(${page}))`

/** For `.$call`: the number of rows, as a column of another query. */
export const rowCount = <DB, TB extends keyof DB>(rows: SelectQueryBuilder<DB, TB, object>) =>
  rows
    .select((q) => q.fn.countAll<number>().as('count'))
    .$asScalar()
    .$notNull()

const some = <DB, TB extends keyof DB>(matching: SelectQueryBuilder<DB, TB, object>) =>
  sql<number>`(select count(*) from (${matching.select(sql`1`.as('one')).limit(sql.lit(countCap + 1))}) as matching)`

/** Counts the matching rows, up to the cap of a list's total. `matching` must not have a select yet. */
export async function countMatches<DB, TB extends keyof DB>(
  db: Db,
  matching: SelectQueryBuilder<DB, TB, object>,
): Promise<number> {
  const { rows } = await sql<{ found: number }>`select ${some(matching)} as found`.execute(db)
  return rows[0]?.found ?? 0
}

/** The number of a team's rows in a table. */
export const countOfTeam =
  (table: 'agent' | 'pipeline' | 'product' | 'stack') =>
  async (db: Db, teamId: number): Promise<number> =>
    (
      await db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('team_id', '=', teamId)
        .executeTakeFirstOrThrow()
    ).count

/**
 * A page with the count of all matching rows, in one statement; beyond the last page it takes another one. `narrowed`:
 * the caller's query filters the list.
 */
export async function withTotal<DB, TB extends keyof DB, O extends object, From, FromTB extends keyof From>(
  db: Db,
  page: SelectQueryBuilder<DB, TB, O>,
  matching: SelectQueryBuilder<From, FromTB, object>,
  at: Pick<Page, 'offset' | 'limit'>,
  { narrowed }: { narrowed: boolean },
): Promise<{ rows: O[]; total: number }> {
  const found = (await page
    .$if(!narrowed && isUsual(at), (q) => q.modifyFront(prepared))
    .select(some(matching).as('total'))
    .execute()) as unknown as (O & { total: number })[]
  const total = found[0]?.total ?? (at.offset === 0 ? 0 : await countMatches(db, matching))
  return { rows: found.map(({ total: _, ...row }) => row as unknown as O), total }
}
