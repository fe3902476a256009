import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Logger } from 'pino'
import { StartError } from '../kernel/fault.ts'
import { root } from '../root.ts'

const migrationsFolder = join(root, 'apps/server/src/db/migrations')

/** Any two numbers, the same in every release: the advisory lock that lets one replica migrate at a time. */
const lock = [71_294, 1]

interface Migration {
  name: string
  text: string
  checksum: string
}

export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8')
      return { name: file.slice(0, -4), text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

const undefinedTable = '42P01'

function refuseOtherVersions(version: number): void {
  const major = Math.floor(version / 10_000)
  if (major < 15 || major > 18) throw new StartError(`DATABASE_URL: PostgreSQL ${major} is not supported, 15 to 18 are`)
}

/**
 * Returns the applied migrations; undefined if none was ever applied, since the check for a newer schema must not
 * write. It takes one query in a database that is up to date.
 */
async function readApplied(client: Client): Promise<Map<string, string> | undefined> {
  const version = `current_setting('server_version_num')::int as version`
  try {
    const { rows } = await client.query<{ name: string; checksum: string; version: number }>(
      `select name, checksum, ${version} from migration`,
    )
    if (rows[0]) refuseOtherVersions(rows[0].version)
    return new Map(rows.map((row) => [row.name, row.checksum]))
  } catch (error) {
    if ((error as { code?: string }).code !== undefinedTable) throw error
    const { rows } = await client.query<{ version: number }>(`select ${version}`)
    refuseOtherVersions(rows[0]?.version ?? 0)
    return undefined
  }
}

function refuseStrangeHistory(known: Migration[], applied: Map<string, string>): void {
  const names = new Set(known.map((migration) => migration.name))
  const newer = [...applied.keys()].filter((name) => !names.has(name)).sort()
  if (newer.length > 0)
    throw new StartError(
      `The database was migrated by a newer release (${newer.join(', ')}): start that release, or restore a backup`,
    )
  const changed = known.find((migration) => (applied.get(migration.name) ?? migration.checksum) !== migration.checksum)
  if (changed) throw new StartError(`Migration ${changed.name} was changed after it had been applied to this database`)
}

async function apply(client: Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(migration.text)
    await client.query('insert into migration (name, checksum) values ($1, $2)', [migration.name, migration.checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new StartError(`Migration ${migration.name} failed and was rolled back: ${(error as Error).message}`)
  }
}

/**
 * Migrates the database to this release. Files run in the order of their names, each in its own transaction; one that
 * is added later with an earlier stamp still runs. Replicas that start at once wait for each other. `only` restricts
 * the files, for the schema of an earlier release. Returns the files that it applied.
 */
export async function migrate(
  url: string,
  log: Logger,
  folder = migrationsFolder,
  only?: ReadonlySet<string>,
): Promise<string[]> {
  const migrations = (await readMigrations(folder)).filter(({ name }) => only?.has(name) ?? true)
  const client = new Client({
    connectionString: url,
    application_name: 'gantry-migrate',
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', (error) => log.warn({ err: error }, 'the migrating connection was lost'))
  try {
    await client.connect()
  } catch (error) {
    throw new StartError(`DATABASE_URL: the database does not answer: ${(error as Error).message}`)
  }
  try {
    const found = await readApplied(client)
    refuseStrangeHistory(migrations, found ?? new Map())
    if (found && migrations.every(({ name }) => found.has(name))) return []
    await client.query('select pg_advisory_lock($1, $2)', lock)
    await client.query(
      'create table if not exists migration (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    const applied = (await readApplied(client)) ?? new Map<string, string>()
    refuseStrangeHistory(migrations, applied)
    const missing = migrations.filter((migration) => !applied.has(migration.name))
    // a new database takes all files: a line for each would hide the lines that say which address to open
    const level = applied.size === 0 ? 'debug' : 'info'
    for (const migration of missing) {
      await apply(client, migration)
      log[level]({ migration: migration.name }, 'migrated')
    }
    if (applied.size === 0) log.info({ migrations: missing.length }, 'made the database')
    return missing.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}
