import type { PermissionKey } from '@gantry/contract/permission-keys.gen'
import type { SearchHit, SearchKind } from '@gantry/contract/search/search'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { anyContains, byName, escapeLike } from './list.ts'
import type { Db } from './tables.gen.ts'

/** A search, as each source gets it. */
export interface Wanted {
  /** As typed, trimmed. */
  text: string
  /** Its words; a hit must contain all of them. */
  words: readonly string[]
  /** The build number at the end of the text: `#12`, or `shop 12`. */
  number: { of: readonly string[]; value: number } | undefined
  /** Teams where the caller may view this kind; undefined means all. */
  teams: number[] | undefined
  /** The team whose objects rank first among equal matches. */
  current: number | undefined
  limit: number
}

/**
 * A hit with its sort key: how well its name matches (see rank), and whether its team is another than the current one.
 */
export interface Found {
  hit: SearchHit
  rank: number
  elsewhere: boolean
}

/** One kind of object that can be searched by name. */
export interface Source {
  kind: SearchKind
  /**
   * The permissions that the object's own page requires, all in the hit's team, so that a search finds nothing that
   * this page would refuse. `admin`: the object belongs to the installation.
   */
  needs: readonly PermissionKey[] | 'admin'
  /** One statement that reads at most `wanted.limit` rows, best first. */
  find: (db: Db, wanted: Wanted) => Promise<Found[]>
}

/** A hit before it is placed in a team. */
type Match = SearchHit extends infer Hit ? (Hit extends SearchHit ? Omit<Hit, 'team'> : never) : never

interface Row extends Omit<Found, 'hit'> {
  /** Absent or null: the object belongs to the installation. */
  teamId?: number | null
  teamName?: string | null
}

/** The hit of a row, in the row's team. */
export const toFound = ({ rank, elsewhere, teamId, teamName }: Row, match: Match): Found => ({
  rank,
  elsewhere,
  hit: { ...match, team: typeof teamId === 'number' ? { id: teamId, name: teamName ?? '' } : null },
})

const always = sql<boolean>`true`

/** Whether every word occurs in one of the columns, ignoring case. */
export const carries = (words: readonly string[], columns: readonly string[]): RawBuilder<boolean> =>
  words.length === 0
    ? always
    : sql<boolean>`(${sql.join(
        words.map((word) => anyContains(columns, word)),
        sql` and `,
      )})`

const separators = [' ', '-', '_', '.', '/', ':', '@']

/**
 * How well a name matches: 0 equals the text, 1 starts with it, 2 has a word that starts with it, 3 contains it, 4
 * matches in another way, such as by single words or in another column.
 */
export function rank(text: string, name: string): RawBuilder<number> {
  const column = sql.ref(name)
  const inside = escapeLike(text)
  const wordStarts = separators.map((separator) => `%${escapeLike(separator)}${inside}%`)
  return sql<number>`case
    when lower(${column}) = lower(${text}) then 0
    when ${column} ilike ${`${inside}%`} then 1
    when ${column} ilike any (${wordStarts}::text[]) then 2
    when ${column} ilike ${`%${inside}%`} then 3
    else 4 end`
}

export const ofTeams = (column: string, teams: number[] | undefined): RawBuilder<boolean> =>
  teams === undefined ? always : sql<boolean>`${sql.ref(column)} = any(${teams}::int[])`

/** False for rows of the current team, which rank first among equal matches. */
export const elsewhere = (column: string, current: number | undefined): RawBuilder<boolean> =>
  current === undefined ? always : sql<boolean>`${sql.ref(column)} is distinct from ${current}::int`

/**
 * The order of a source's rows, by their selected `rank` and `elsewhere`: best match of the name, current team, shorter
 * names, and then by name.
 */
export const bestFirst = (name: string): RawBuilder<unknown> =>
  sql`"rank", "elsewhere", char_length(${sql.ref(name)}), ${byName(name)}`

interface Columns {
  name: string
  /** The column of the row's team; absent where the rows belong to the installation. */
  team?: string
  /** Columns besides the name that are searched for the words. */
  also?: readonly string[]
}

/** For `.$call`: the rows of the caller's teams that contain the words, best first. Selects `rank` and `elsewhere`. */
export const bestOf =
  ({ text, words, teams, current, limit }: Wanted, { name, team, also = [] }: Columns) =>
  <DB, TB extends keyof DB, O>(rows: SelectQueryBuilder<DB, TB, O>) =>
    rows
      .select([rank(text, name).as('rank'), (team === undefined ? always : elsewhere(team, current)).as('elsewhere')])
      .where(team === undefined ? always : ofTeams(team, teams))
      .where(carries(words, [name, ...also]))
      .orderBy(bestFirst(name))
      .limit(limit)

/** Statements of this transaction that take longer than this fail. */
export const limitStatements = (db: Db, ms: number) =>
  sql`select set_config('statement_timeout', ${String(ms)}, true)`.execute(db)
