import type { SearchHit, SearchKind } from '@gantry/contract/search/search'
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { anyContains, escapeLike } from './list.ts'
import type { Tables } from './tables.gen.ts'

/** What is looked for, as every source of hits gets it. */
export interface Wanted {
  /** As typed, trimmed. */
  text: string
  /** Its words, each of which a hit has to carry. */
  words: readonly string[]
  /** The build number at its end: `#12`, or `shop 12`. */
  number: { of: readonly string[]; value: number } | undefined
  /** Teams where the caller may view the kind; undefined: all of them. */
  teams: number[] | undefined
  /** The team whose things come first among equals. */
  current: number | undefined
  limit: number
}

/** A hit with what it is sorted by: how well its name matches (see rank), and whether it is of another team than the current one. */
export interface Found {
  hit: SearchHit
  rank: number
  elsewhere: boolean
}

/** What a domain can be asked for by name. */
export interface Source {
  kind: SearchKind
  /**
   * What the thing's own page asks for, all of it in the hit's team: nobody is shown what that page would refuse. `admin`:
   * what belongs to the installation.
   */
  needs: readonly string[] | 'admin'
  /** One statement, which reads no more than `wanted.limit` rows; the best first. */
  find: (db: Kysely<Tables>, wanted: Wanted) => Promise<Found[]>
}

const always = sql<boolean>`true`

/** Every word stands in one of the columns, in either case. */
export const carries = (words: readonly string[], columns: readonly string[]): RawBuilder<boolean> =>
  words.length === 0
    ? always
    : sql<boolean>`(${sql.join(
        words.map((word) => anyContains(columns, word)),
        sql` and `,
      )})`

const separators = [' ', '-', '_', '.', '/', ':', '@']

/** How well a name matches: 0 it is the text, 1 begins with it, 2 a word in it does, 3 it is somewhere inside, 4 only its words are. */
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

/** False for what is of the current team: such rows come first among equals. */
export const elsewhere = (column: string, current: number | undefined): RawBuilder<boolean> =>
  current === undefined ? always : sql<boolean>`${sql.ref(column)} is distinct from ${current}::int`

/**
 * The order of a source's rows, which it selects `rank` and `elsewhere` of: how well the name matches, the current team,
 * short names, code points.
 */
export const bestFirst = (name: string): RawBuilder<unknown> =>
  sql`"rank", "elsewhere", char_length(${sql.ref(name)}), ${sql.ref(name)} collate "C"`

interface Columns {
  name: string
  /** The team that a row is found through; absent where the rows belong to the installation. */
  team?: string
  /** Where words may stand besides the name. */
  also?: readonly string[]
}

/** For `.$call`: the rows that carry the words, in the caller's teams, the best first. Selects `rank` and `elsewhere`. */
export const bestOf =
  ({ text, words, teams, current, limit }: Wanted, { name, team, also = [] }: Columns) =>
  <DB, TB extends keyof DB, O>(rows: SelectQueryBuilder<DB, TB, O>) =>
    rows
      .select([rank(text, name).as('rank'), (team === undefined ? always : elsewhere(team, current)).as('elsewhere')])
      .where(team === undefined ? always : ofTeams(team, teams))
      .where(carries(words, [name, ...also]))
      .orderBy(bestFirst(name))
      .limit(limit)
