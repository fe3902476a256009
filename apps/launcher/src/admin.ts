import { spawnSync } from 'node:child_process'
import { prepareCluster, runningUrl } from '@gantry/postgres/cluster'
import { startPostgres } from '@gantry/postgres/run'
import { lockDataFolder, openDataFolder } from './data-folder.ts'
import { forServer } from './environment.ts'
import { exitWithRefusal } from './launch.ts'
import { mains } from './parts.ts'
import { readSettings, Refusal } from './settings.ts'

/** `npm run admin`: the server's own commands, whether the product runs or not. Returns the exit code. */
const administer = async (args: string[]): Promise<number> => {
  const settings = readSettings(process.env)
  const run = (databaseUrl: string): number => {
    const env = forServer(process.env, { DATABASE_URL: databaseUrl, GANTRY_DATA: settings.data })
    return spawnSync(process.execPath, [mains.admin, ...args], { env, stdio: 'inherit' }).status ?? 1
  }
  // commands for issuers of licenses need no database
  if (args[0] === 'license' || settings.databaseUrl) return run(settings.databaseUrl ?? '')
  const folder = openDataFolder(settings.data)
  const url = await runningUrl(folder.postgres)
  if (url) return run(url('gantry'))
  try {
    lockDataFolder(folder)
  } catch (error) {
    throw error instanceof Refusal ? new Refusal('The database is just starting or ending: try again.') : error
  }
  const postgres = await startPostgres(await prepareCluster(folder.postgres, 'durable'))
  try {
    return run(postgres.url('gantry'))
  } finally {
    await postgres.stop()
  }
}

process.exitCode = await administer(process.argv.slice(2)).catch((error: unknown) => exitWithRefusal(error))
