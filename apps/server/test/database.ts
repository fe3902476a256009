import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareCluster } from '@gantry/postgres/cluster'
import { createDatabase, dropDatabase } from '@gantry/postgres/databases'
import { startPostgres } from '@gantry/postgres/run'
import { Client } from 'pg'
import pino from 'pino'
import { migrate } from '../src/db/migrate.ts'
import { memoryFolder } from './memory-folder.ts'

interface Postgres {
  url: (database: string) => string
  stop: () => Promise<void>
}

async function embedded(): Promise<Postgres> {
  const folder = await mkdtemp(join(memoryFolder, 'gantry-test-'))
  await chmod(folder, 0o755)
  const postgres = await startPostgres(await prepareCluster(join(folder, 'postgres'), 'fast'))
  return {
    url: postgres.url,
    stop: async () => {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function dropAll(url: Postgres['url'], prefix: string): Promise<void> {
  const client = new Client({ connectionString: url('gantry') })
  await client.connect()
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [prefix],
  )
  await client.end()
  for (const { datname } of rows) await dropDatabase({ url }, datname)
}

/**
 * One migrated database, of which each test file gets a copy. On a PostgreSQL of its own, or, to try another release,
 * on the one that GANTRY_TEST_DATABASE names: a URL with %s for the database, whose role may create databases and owns
 * one called gantry.
 */
export async function startTemplate() {
  const given = process.env['GANTRY_TEST_DATABASE']
  const template = `t${randomBytes(4).toString('hex')}`
  const postgres: Postgres = given
    ? { url: (name) => given.replace('%s', name), stop: () => dropAll(postgres.url, template) }
    : await embedded()
  const templateUrl = await createDatabase(postgres, template)
  await migrate(templateUrl, pino({ level: 'silent' }))
  return {
    templateUrl,
    /** for the processes that run tests: URL of a database with %s for its name, and name of the template */
    shared: { pattern: postgres.url('%s'), template },
    stop: postgres.stop,
  }
}
