import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'

/** Whether the process accepts connections; PostgreSQL writes that as the last line of its pid file. */
export const isReady = async (cluster: Cluster, pid: number): Promise<boolean> => {
  const lines = (await readFile(join(cluster.data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}

/** `detached`: in a session of its own, where a signal to the starter's process group does not reach it. */
export const spawnPostgres = (
  cluster: Cluster,
  output: 'ignore' | 'inherit' | 'pipe' | number,
  { detached = false } = {},
): ChildProcess =>
  cluster.spawnWith(['ignore', output, output], (options) =>
    spawn(cluster.command, cluster.args, { ...options, detached }),
  )

export type RunningPostgres = {
  pid: number
  url: (database: string) => string
  /** Ends open sessions, flushes all data, and waits for the process to end. */
  stop: () => Promise<void>
}

/**
 * For tests and tools: starts it and waits until it answers, else throws with its log. The product's own is the
 * launcher's.
 */
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

/** The command line of a process; empty if there is no such process. */
const wordsOf = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

/** Whether the process is a PostgreSQL of this data folder: after a crash its pid may belong to another process. */
const runsCluster = (pid: number, { data }: Cluster): boolean => {
  if (process.platform !== 'linux') {
    const args = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
    return args.includes(`/postgres -D ${data} `)
  }
  const words = wordsOf(pid)
  if (words[0]?.endsWith('/postgres') !== true) return false
  try {
    const [cwd, own] = [statSync(`/proc/${pid}/cwd`), statSync(data)]
    return cwd.dev === own.dev && cwd.ino === own.ino
  } catch {
    // In a container root may not read another process's cwd, but may read its command line.
    return words.includes(data)
  }
}

/**
 * Prepares a start: ends a PostgreSQL that was left running on this data folder, and removes a pid file whose pid
 * belongs to another program, even another PostgreSQL, because it would prevent the start. The caller has locked the
 * folder.
 */
export const clearLeftover = async (cluster: Cluster): Promise<void> => {
  const file = join(cluster.data, 'postmaster.pid')
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0])
  if (!pid || process.platform === 'win32') return
  if (!runsCluster(pid, cluster)) return await rm(file, { force: true })
  for (const [signal, patienceMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 1_000],
  ] as const) {
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    for (const until = performance.now() + patienceMs; performance.now() < until; await sleep(20))
      if (!runsCluster(pid, cluster)) return
  }
}
