import { type RawBuilder, sql } from 'kysely'

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

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** Every word stands in one of the columns, in either case. */
export const carries = (words: readonly string[], columns: readonly string[]): RawBuilder<boolean> =>
  words.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`(${sql.join(
        words.map(
          (word) =>
            sql`(${sql.join(
              columns.map((column) => sql`${sql.ref(column)} ilike ${`%${escaped(word)}%`}`),
              sql` or `,
            )})`,
        ),
        sql` and `,
      )})`

const separators = [' ', '-', '_', '.', '/', ':', '@']

/** How well a name matches: 0 it is the text, 1 begins with it, 2 a word in it does, 3 it is somewhere inside, 4 only its words are. */
export function rank(text: string, name: string): RawBuilder<number> {
  const column = sql.ref(name)
  const inside = escaped(text)
  const wordStarts = separators.map((separator) => `%${escaped(separator)}${inside}%`)
  return sql<number>`case
    when lower(${column}) = lower(${text}) then 0
    when ${column} ilike ${`${inside}%`} then 1
    when ${column} ilike any (${wordStarts}::text[]) then 2
    when ${column} ilike ${`%${inside}%`} then 3
    else 4 end`
}

export const ofTeams = (column: string, teams: number[] | undefined): RawBuilder<boolean> =>
  teams === undefined ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = any(${teams}::int[])`

/** False for what is of the current team: such rows come first among equals. */
export const elsewhere = (column: string, current: number | undefined): RawBuilder<boolean> =>
  current === undefined ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} is distinct from ${current}::int`

interface Ordered {
  name: string
  /** The column of the team; absent where the rows belong to none. */
  team?: string
}

/** The order of a source's rows: how well the name matches, the current team, short names, code points. */
export const bestFirst = ({ text, current }: Wanted, { name, team }: Ordered): RawBuilder<unknown> =>
  sql`row(${rank(text, name)}, ${team === undefined ? sql`true` : elsewhere(team, current)},
    char_length(${sql.ref(name)}), ${sql.ref(name)} collate "C")`
