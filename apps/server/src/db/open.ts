import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Client, type CustomTypesConfig, Pool, type PoolClient, types as known } from 'pg'
import type { Logger } from 'pino'
import type { Db, Tables } from './tables.gen.ts'

export interface Database {
  db: Db
  pool: Pool
  url: string
  close: () => Promise<void>
}

const { builtins } = known
type TypeId = Parameters<typeof known.getTypeParser>[0]

/** Ids and counts come as numbers; a value that a number cannot hold exactly is an error, not a wrong figure. */
const integer = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number`)
  return value
}

/** Times are read as ISO 8601 in UTC, so that an answer can contain a row unchanged. */
const moment = (text: string): string => new Date(text).toISOString()

const parsers: Record<number, (text: string) => unknown> = {
  [builtins.INT8]: integer,
  [builtins.TIMESTAMPTZ]: moment,
}

/** How values of PostgreSQL are parsed, for one connection or a pool. */
export const types: CustomTypesConfig = {
  getTypeParser: (oid: TypeId, format?: string) =>
    (format !== 'binary' && parsers[oid]) || known.getTypeParser(oid, format === 'binary' ? 'binary' : 'text'),
}

const mark = '/* prepared */'

/**
 * For `modifyFront` of statements that nearly every call runs, by a key: each connection has PostgreSQL parse and plan
 * them once, which takes ten times as long as the look-up. Not for statements whose plan depends on their values, nor
 * for `select *`, whose columns a migration may change under a running server.
 */
export const prepared = sql`${sql.raw(mark)}`

/** PostgreSQL's names are at most 63 bytes. */
const nameOf = (text: string): string => createHash('sha1').update(text).digest('hex')

function prepareMarked(client: PoolClient): void {
  const names = new Map<string, string>()
  const query = (text: unknown, ...rest: unknown[]): unknown => {
    if (typeof text !== 'string' || !text.startsWith(mark, 'select '.length))
      return Reflect.apply(Client.prototype.query, client, [text, ...rest])
    const name = names.get(text) ?? nameOf(text)
    names.set(text, name)
    return Reflect.apply(Client.prototype.query, client, [{ name, text, values: rest[0] }])
  }
  Object.assign(client, { query })
}

/**
 * A pool that fails fast: at most 2 s for a connection, 10 s for a statement. A connection that breaks, idle or in use,
 * is logged and replaced; without an error handler on each connection Node would end the process.
 */
export function openDatabase(url: string, log: Logger, { max = 12 }: { max?: number } = {}): Database {
  const pool = new Pool({
    connectionString: url,
    max,
    types,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 30_000,
    application_name: 'gantry',
    keepAlive: true,
  })
  const lost = (error: Error) => log.warn({ err: error }, 'a database connection was lost')
  pool.on('error', lost)
  pool.on('connect', (client) => {
    client.on('error', lost)
    prepareMarked(client)
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { db, pool, url, close: () => db.destroy() }
}
