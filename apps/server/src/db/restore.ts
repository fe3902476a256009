import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { from } from 'pg-copy-streams'
import type { Logger } from 'pino'
import { z } from 'zod'
import { StartError } from '../kernel/fault.ts'
import { dumpFormat, endMark, headMark, quoted } from './dump.ts'
import { migrate, readMigrations } from './migrate.ts'

const Head = z.object({
  format: z.number().int(),
  release: z.string(),
  createdAt: z.string(),
  key: z.string(),
  migrations: z.array(z.tuple([z.string(), z.string()])).min(1),
  tables: z.array(z.string()),
  sequences: z.record(z.string(), z.number().int()),
})
type Head = z.infer<typeof Head>

const damaged = (why: string) =>
  new StartError(`This is no whole backup: ${why}. Take the file from where it was made, again`)

const newline = 10

/** The lines of a text, each with its line end; the last one may have none. */
async function* linesOf(text: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  for await (const bytes of text) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, at + 1)])
      rest = []
      from = at + 1
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
  }
  if (rest.length > 0) yield Buffer.concat(rest)
}

async function next(lines: AsyncGenerator<Buffer>): Promise<Buffer | undefined> {
  const { done, value } = await lines.next()
  return done === true ? undefined : value
}

/** The rows of the current section, in large pieces. */
async function* rowsOf(lines: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let piece: Buffer[] = []
  let size = 0
  for (;;) {
    const line = await next(lines)
    if (line === undefined) throw damaged('it ends within a table')
    const ends = line.length === 3 && line.toString('latin1') === '\\.\n'
    if (!ends) {
      piece.push(line)
      size += line.length
    }
    if (ends || size > 64_000) {
      if (piece.length > 0) yield Buffer.concat(piece)
      piece = []
      size = 0
    }
    if (ends) return
  }
}

async function headOf(lines: AsyncGenerator<Buffer>): Promise<Head> {
  const line = (await next(lines))?.toString() ?? ''
  if (!line.startsWith(headMark)) throw damaged('it does not begin as one')
  let head: unknown
  try {
    head = JSON.parse(line.slice(headMark.length))
  } catch {
    throw damaged('its first line cannot be read')
  }
  const read = Head.safeParse(head)
  if (!read.success) throw damaged('its first line says too little')
  return read.data
}

async function refuseOtherRelease({ format, release, migrations }: Head): Promise<void> {
  const known = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]))
  const newer = migrations.filter(([name]) => !known.has(name)).map(([name]) => name)
  if (format > dumpFormat || newer.length > 0)
    throw new StartError(
      `The backup was made by a newer release (${release}): restore it with that release or a later one`,
    )
  const changed = migrations.find(([name, checksum]) => known.get(name) !== checksum)
  if (changed)
    throw new StartError(`The backup was made by another build of this product: its migration ${changed[0]} differs`)
}

/** Refuses a database with users in it: it is an installation, which nothing overwrites. */
async function refuseUsed(client: Client, { migrations }: Head): Promise<void> {
  const used = new StartError(
    'The database already contains an installation, which a restore does not overwrite: name a new, empty one with DATABASE_URL, or a new folder with GANTRY_DATA',
  )
  const { rows: found } = await client.query<{ name: string | null }>(
    `select to_regclass('public.account')::text as name`,
  )
  if (found[0]?.name === null) return
  const people = await client.query('select from account limit 1')
  const applied = await client.query<{ name: string }>('select name from migration')
  const wanted = new Set(migrations.map(([name]) => name))
  if (people.rowCount !== 0 || applied.rows.some(({ name }) => !wanted.has(name))) throw used
}

/** Runs `load` without foreign keys, and checks them at the end: tables refer to each other in cycles. */
async function withoutReferences(client: Client, load: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ table: string; name: string; rule: string }>(
    `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as rule
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`,
  )
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${quoted(name)}`)
  await load()
  for (const { table, name, rule } of rows)
    await client.query(`alter table ${table} add constraint ${quoted(name)} ${rule}`)
}

const sectionLine = /^COPY ("[a-z0-9_]+") \(("[a-z0-9_]+"(?:, "[a-z0-9_]+")*)\) FROM stdin;\n$/

async function loadTables(client: Client, lines: AsyncGenerator<Buffer>, tables: readonly string[]): Promise<void> {
  const all = tables.map(quoted)
  for (const table of all) await client.query(`alter table ${table} disable trigger user`)
  // the backup also contains the rows that the migrations inserted
  if (all.length > 0) await client.query(`truncate ${all.join(', ')} cascade`)
  const loaded = new Set<string>()
  for (;;) {
    const line = (await next(lines))?.toString()
    if (line === `${endMark}\n`) break
    const [, table = '', columns = ''] = sectionLine.exec(line ?? '') ?? []
    if (!all.includes(table) || loaded.has(table)) throw damaged('it ends early or is not one of Gantry')
    const rows = client.query(from(`copy ${table} (${columns}) from stdin`))
    await pipeline(Readable.from(rowsOf(lines), { objectMode: false }), rows)
    loaded.add(table)
  }
  if (loaded.size !== all.length) throw damaged('it lacks a table')
  for (const table of all) await client.query(`alter table ${table} enable trigger user`)
}

async function load(client: Client, lines: AsyncGenerator<Buffer>, { tables, sequences }: Head): Promise<void> {
  await client.query('begin')
  try {
    await withoutReferences(client, () => loadTables(client, lines, tables))
    for (const [name, value] of Object.entries(sequences))
      await client.query('select setval(quote_ident($1)::regclass, $2)', [name, value])
    // the new installation may keep its logs and files elsewhere
    await client.query(`delete from setting where name = 'blob-store'`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/**
 * Restores a dump into a database without users, all of it or nothing, and migrates it to this release. Returns when
 * and by which release the dump was made. Refuses a dump of a newer release, a key that is not among `keys`, and a
 * database in use before anything is written; and a damaged file as soon as the damage is read.
 */
export async function restoreDump(
  url: string,
  text: AsyncIterable<Uint8Array>,
  keys: ReadonlyMap<string, unknown>,
  log: Logger,
): Promise<{ createdAt: string; release: string }> {
  const lines = linesOf(text)
  const head = await headOf(lines)
  await refuseOtherRelease(head)
  if (!keys.has(head.key))
    throw new StartError(
      'The passwords and tokens in the backup are sealed under another key: set GANTRY_SECRET_KEY to the key of the installation that it was made of',
    )
  const client = new Client({
    connectionString: url,
    application_name: 'gantry-restore',
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', (error) => log.warn({ err: error }, 'the restoring connection was lost'))
  try {
    await client.connect()
    await refuseUsed(client, head)
    await migrate(url, log, undefined, new Set(head.migrations.map(([name]) => name)))
    await load(client, lines, head)
  } finally {
    await client.end()
  }
  await migrate(url, log)
  return { createdAt: head.createdAt, release: head.release }
}
