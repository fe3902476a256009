import { prepareCluster, type Cluster } from '@gantry/postgres/cluster'
import { clearLeftover, isReady, spawnPostgres } from '@gantry/postgres/run'
import type { DataFolder } from './data-folder.ts'
import type { Output } from './output.ts'
import type { Part } from './supervisor.ts'

/** What a server opens at most, its listeners included, is some 15. */
const connectionsOfServer = 20

/**
 * Prepares the embedded PostgreSQL for so many servers, with durable commits that survive a power cut. Throws a
 * PostgresRefusal.
 */
export const postgresPart = async (
  folder: DataFolder,
  output: Output,
  servers: number,
): Promise<{ part: Part; cluster: Cluster }> => {
  const prepared = await prepareCluster(folder.postgres, 'durable')
  const connections = Math.max(100, 40 + servers * connectionsOfServer)
  const cluster = { ...prepared, args: [...prepared.args, '-c', `max_connections=${connections}`] }
  const part: Part = {
    name: 'PostgreSQL',
    mustStart: true,
    // ends open sessions and writes everything to disk
    askWith: 'SIGINT',
    // also ends PostgreSQL's child processes, unlike SIGKILL; the next start recovers from the write-ahead log
    killWith: 'SIGQUIT',
    graceMs: 3_000,
    isReady: (pid) => isReady(cluster, pid),
    spawn: async () => {
      await clearLeftover(cluster)
      const log = output.openFile('postgres')
      const child = spawnPostgres(cluster, log, { detached: true })
      output.release(log)
      return child
    },
  }
  return { part, cluster }
}
