import type { audit } from '@gantry/contract/audit/audit'
import { type Expression, type ExpressionBuilder, type Kysely, sql, type SqlBool } from 'kysely'
import type { z } from 'zod'
import { anyContains } from '../../db/list.ts'
import type { Tables } from '../../db/tables.gen.ts'

export type Wanted = z.output<typeof audit.search.query>
export type Filters = Omit<Wanted, 'requestPage' | 'currentPage' | 'page' | 'pageSize'>

/** Whose rows: of these teams, and what this user did. Undefined: every row. */
export interface Scope {
  userId: number
  teamIds: number[] | 'all'
}

/** A search in the words of the table: what there are few values of was looked up before. */
export interface Search {
  scope: Scope | undefined
  filters: Filters
  /** Undefined: not asked for. Empty: nothing is called so, and nothing can be found. */
  teamIds: number[] | undefined
  actions: string[] | undefined
  /** Messages whose key, or whose text in either language, contains what `msg` asks for. */
  messages: string[] | undefined
}

type Eb = ExpressionBuilder<Tables, 'audit_log'>

/** The whole range of a JavaScript date, which no text form carries into PostgreSQL. */
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

/** Columns that are searched by the text's groups of three characters. */
const texts = { url: ['url'], msg: ['object'], keyword: ['actor_name', 'object'] } as const

/** All but the time range. */
export const conditionsOf =
  (search: Search) =>
  (eb: Eb): Expression<SqlBool> => {
    const { filters, teamIds, actions, messages } = search
    const all = [scopeOf(search.scope)(eb)]
    if (filters.userId !== undefined) all.push(mine(eb, filters.userId))
    if (filters.result !== undefined) all.push(eb('status', filters.result === '1' ? '<' : '>=', 400))
    if (teamIds) all.push(eb('team_id', 'in', teamIds))
    if (actions) all.push(eb('action', 'in', actions))
    if (filters.url) all.push(anyContains([...texts.url], filters.url))
    if (filters.keyword) all.push(anyContains([...texts.keyword], filters.keyword))
    if (filters.msg) {
      const object = anyContains([...texts.msg], filters.msg)
      all.push(messages && messages.length > 0 ? eb.or([eb('message', 'in', messages), object]) : object)
    }
    return eb.and(all)
  }

const given = ({ filters }: Search): string[] =>
  [filters.url, filters.msg, filters.keyword].filter((text): text is string => text !== undefined && text !== '')

/** The index knows groups of three characters: shorter texts are looked for in the newest rows only. */
export const isShort = (search: Search): boolean => given(search).some((text) => [...text].length < 3)

export const hasText = (search: Search): boolean => given(search).length > 0

export const isHopeless = ({ teamIds, actions }: Search): boolean => teamIds?.length === 0 || actions?.length === 0

export const teamsCalled = async (db: Kysely<Tables>, name: string): Promise<number[]> => {
  const rows = await db
    .selectFrom('team')
    .select('id')
    .where(anyContains(['name'], name))
    .execute()
  return rows.map((row) => row.id)
}

/** Every value that the column has, one step of its index each: there are some hundreds among millions of rows. */
export async function valuesOf(db: Kysely<Tables>, column: 'action' | 'message'): Promise<string[]> {
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
