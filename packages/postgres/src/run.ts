import { spawn, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'

/** True once the process answers connections; PostgreSQL writes it as the last line of its pid file. */
export const isReady = async (cluster: Cluster, pid: number): Promise<boolean> => {
  const lines = (await readFile(join(cluster.data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}

export const spawnPostgres = (cluster: Cluster, output: 'ignore' | 'inherit' | 'pipe' | number): ChildProcess =>
  cluster.spawnWith(['ignore', output, output], (options) => spawn(cluster.command, cluster.args, options))

export type RunningPostgres = {
  pid: number
  url: (database: string) => string
  /** Ends open sessions, writes everything down, and waits for the process. */
  stop: () => Promise<void>
}

/** For tests and tools: starts, waits until it answers, throws with its log when it does not. The product's own is kept up by the launcher. */
export const startPostgres = async (cluster: Cluster): Promise<RunningPostgres> => {
  const child = spawnPostgres(cluster, 'pipe')
  let log = ''
  const keep = (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000))
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  const { pid } = child
  if (pid === undefined) throw new Error('PostgreSQL did not start')
  while (!(await isReady(cluster, pid))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`PostgreSQL did not start: ${log.trim()}`)
    await sleep(10)
  }
  return {
    pid,
    url: cluster.url,
    stop: async () => {
      child.kill('SIGINT')
      await gone
    },
  }
}
