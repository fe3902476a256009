import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareCluster } from '@gantry/postgres/cluster'
import { createDatabase } from '@gantry/postgres/databases'
import { startPostgres } from '@gantry/postgres/run'
import pino from 'pino'
import { migrate } from '../src/db/migrate.ts'

export const template = 'pattern'

/** A PostgreSQL of its own with one migrated database, from which each test file takes a copy. */
export async function startTemplate() {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-test-'))
  await chmod(folder, 0o755)
  const postgres = await startPostgres(await prepareCluster(join(folder, 'postgres'), 'fast'))
  const url = await createDatabase(postgres, template)
  await migrate(url, pino({ level: 'silent' }))
  return {
    postgres,
    templateUrl: url,
    /** A database's URL, with %s for its name: what is handed on to the processes that run tests. */
    pattern: postgres.url('%s'),
    stop: async () => {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
