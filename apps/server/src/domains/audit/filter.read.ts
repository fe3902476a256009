import { type audit, routineActions } from '@gantry/contract/audit/audit'
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import type { z } from 'zod'
import { anyContains } from '../../db/list.ts'
import type { Db, Tables } from '../../db/tables.gen.ts'

export type Wanted = z.output<typeof audit.search.query>
export type Filters = Omit<Wanted, 'requestPage' | 'currentPage' | 'page' | 'pageSize'>

/** Which rows are visible: those of these teams and of this user's own actions. Undefined: all rows. */
export interface Scope {
  userId: number
  teamIds: number[] | 'all'
}

/** A search in terms of the table: columns with few values were looked up before. */
export interface Search {
  scope: Scope | undefined
  filters: Filters
  /** Undefined: not searched. Empty: no name matches, so nothing can be found. */
  teamIds: number[] | undefined
  actions: string[] | undefined
  /** Messages whose key, or whose text in either language, contains what `msg` asks for. */
  messages: string[] | undefined
}

type Eb = ExpressionBuilder<Tables, 'audit_log'>

/** The whole range of a JavaScript date, which no text form can express for PostgreSQL. */
const atMillis = (millis: number) => sql<string>`to_timestamp(${millis}::float8 / 1000)`

export const timeOf =
  ({ filters: { startTime, endTime } }: Search) =>
  (eb: Eb): Expression<SqlBool> =>
    eb.and([
      ...(startTime > 0 ? [eb('started_at', '>=', atMillis(startTime))] : []),
      ...(endTime > 0 ? [eb('started_at', '<=', atMillis(endTime))] : []),
    ])

const mine = (eb: Eb, userId: number) => eb.and([eb('actor_kind', '=', 'user'), eb('actor_id', '=', userId)])

export const scopeOf =
  (scope: Scope | undefined) =>
  (eb: Eb): Expression<SqlBool> => {
    if (!scope) return eb.and([])
    const own = mine(eb, scope.userId)
    if (scope.teamIds === 'all') return eb.or([own, eb('team_id', 'is not', null)])
    return scope.teamIds.length > 0 ? eb.or([own, eb('team_id', 'in', scope.teamIds)]) : own
  }

/** The filters of free text, and the columns that they look into. */
const columnsOf = { url: ['url'], msg: ['object'], keyword: ['actor_name', 'object'] } as const
export type TextName = keyof typeof columnsOf
const textNames = Object.keys(columnsOf) as TextName[]

export interface GivenText {
  name: TextName
  text: string
  columns: readonly ('url' | 'object' | 'actor_name')[]
}

export const textsOf = ({ filters }: Pick<Search, 'filters'>): GivenText[] =>
  textNames.flatMap((name) => {
    const text = filters[name]
    return text ? [{ name, text, columns: columnsOf[name] }] : []
  })

/** What the trigram index is searched for: only this part of the text of this filter. */
export interface Lookup {
  name: TextName
  part: string
}

/** Equivalent to anyContains, in a form that no index serves. */
const anyHolds = (columns: readonly string[], text: string) =>
  sql<boolean>`(${sql.join(
    columns.map((column) => sql`strpos(lower(${sql.ref(column)}), lower(${text})) > 0`),
    sql` or `,
  )})`

/** All conditions except the time range. */
export const conditionsOf =
  (search: Search, lookup?: Lookup) =>
  (eb: Eb): Expression<SqlBool> => {
    const { filters, teamIds, actions, messages = [] } = search
    const all = [scopeOf(search.scope)(eb)]
    if (filters.userId !== undefined) all.push(mine(eb, filters.userId))
    if (filters.result !== undefined) all.push(eb('status', filters.result === '1' ? '<' : '>=', 400))
    if (filters.routine === 'hide') all.push(eb('action', 'not in', routineActions))
    if (teamIds) all.push(eb('team_id', 'in', teamIds))
    if (actions) all.push(eb('action', 'in', actions))
    for (const { name, text, columns } of textsOf(search)) {
      const orMessage = (found: Expression<SqlBool>) =>
        name === 'msg' && messages.length > 0 ? eb.or([eb('message', 'in', messages), found]) : found
      if (lookup?.name === name) all.push(orMessage(anyContains([...columns], lookup.part)))
      all.push(orMessage(anyHolds(columns, text)))
    }
    return eb.and(all)
  }

/** The index has groups of three characters: shorter texts are searched in the newest rows only. */
export const isShort = (search: Search): boolean => textsOf(search).some(({ text }) => [...text].length < 3)

export const isHopeless = ({ teamIds, actions }: Search): boolean => teamIds?.length === 0 || actions?.length === 0

export const teamsCalled = async (db: Db, name: string): Promise<number[]> => {
  const rows = await db
    .selectFrom('team')
    .select('id')
    .where(anyContains(['name'], name))
    .execute()
  return rows.map((row) => row.id)
}

/** All values of the column, with one index step each: there are some hundreds among millions of rows. */
export async function valuesOf(db: Db, column: 'action' | 'message'): Promise<string[]> {
  const of = sql.ref(column)
  const { rows } = await sql<{ value: string }>`
    with recursive known as (
      (select ${of} as value from audit_log where ${of} <> '' order by ${of} limit 1)
      union all
      select (select ${of} from audit_log where ${of} <> '' and ${of} > known.value order by ${of} limit 1)
      from known where known.value is not null
    ) select value from known where value is not null`.execute(db)
  return rows.map((row) => row.value)
}
