import { Client } from 'pg'
import { to } from 'pg-copy-streams'
import type { Readable } from 'node:stream'

/** The version of the file format; a release that changes it still reads the older ones. */
export const dumpFormat = 1

/** The first line of a file, after `-- gantry `. */
export interface DumpHead {
  format: number
  release: string
  createdAt: string
  /** The id of the key that secrets are sealed under. */
  key: string
  /** Name and checksum of the migrations that created the tables. */
  migrations: [name: string, checksum: string][]
  tables: string[]
  /** The last value of each sequence, so that no number is assigned twice. */
  sequences: Record<string, number>
}

export const headMark = '-- gantry '
export const endMark = '-- end'

/**
 * Tables that a restored installation fills anew or must not have: sessions, the present state of connections and
 * servers, counters, files that only the old store contains, and samples of metrics, which would be most of the file.
 */
const leftOut: ReadonlySet<string> = new Set([
  'backup_file',
  'blob_garbage',
  'cluster_agent_connection',
  'job_slot',
  'metric_averaged',
  'metric_hour',
  'metric_raw',
  'metric_series',
  'migration',
  'oauth_session',
  'outbox',
  'rate_counter',
  'replica',
  'session',
  'ticket',
])

/** Any two numbers, the same in every release: the advisory lock of the server that dumps, held by its connection. */
const lock = [71_294, 2]

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The stored columns of each table, without the generated ones. */
const columnsQuery = `
  select c.relname as "table", array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  group by c.relname order by c.relname collate "C"`

interface Columns {
  table: string
  columns: string[]
}

async function* contentOf(client: Client, head: DumpHead, tables: readonly Columns[]): AsyncGenerator<Buffer | string> {
  yield `${headMark}${JSON.stringify(head)}\n`
  for (const { table, columns } of tables) {
    const list = columns.map(quoted).join(', ')
    yield `COPY ${quoted(table)} (${list}) FROM stdin;\n`
    const rows: Readable = client.query(to(`copy (select ${list} from ${quoted(table)}) to stdout`))
    for await (const bytes of rows) yield bytes as Buffer
    yield '\\.\n'
  }
  yield `${endMark}\n`
}

export interface Dump {
  /** Text: the head, a COPY section for each table, and an end line. It can be read only once. */
  content: AsyncGenerator<Buffer | string>
  close: () => Promise<void>
}

/**
 * Opens one consistent view of the whole database, on its own connection and without blocking writers. Undefined while
 * another server dumps. The caller closes it.
 */
export async function openDump(url: string, about: { release: string; key: string }): Promise<Dump | undefined> {
  const client = new Client({
    connectionString: url,
    application_name: 'gantry-backup',
    connectionTimeoutMillis: 5_000,
  })
  // a lost connection reaches the reader as the error of its query
  client.on('error', () => undefined)
  const close = () => client.end()
  try {
    await client.connect()
    const locked = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1, $2) as held', lock)
    if (locked.rows[0]?.held !== true) {
      await close()
      return undefined
    }
    await client.query('begin transaction isolation level repeatable read, read only')
    const { rows: found } = await client.query<Columns>(columnsQuery)
    const tables = found.filter(({ table }) => !leftOut.has(table))
    const migrations = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from migration order by name collate "C"',
    )
    const sequences = await client.query<{ name: string; value: string }>(
      `select sequencename as name, last_value as value from pg_sequences
       where schemaname = 'public' and last_value is not null`,
    )
    const head: DumpHead = {
      format: dumpFormat,
      ...about,
      createdAt: new Date().toISOString(),
      migrations: migrations.rows.map(({ name, checksum }) => [name, checksum]),
      tables: tables.map(({ table }) => table),
      sequences: Object.fromEntries(sequences.rows.map(({ name, value }) => [name, Number(value)])),
    }
    return { content: contentOf(client, head, tables), close }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}
