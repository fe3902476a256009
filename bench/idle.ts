import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sample } from '@gantry/contract/sample/sample'
import { runningUrl } from '@gantry/postgres/cluster'
import pg from 'pg'
import { descendants, memoryOf } from '../scripts/memory.ts'
import { figure, mb, ms } from './figures.ts'
import type { Product } from '../e2e/product.ts'

const tick = 1000 / Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout)

interface ProcessCpu {
  name: string
  /** Milliseconds of CPU, including those of its children that have ended. */
  cpu: number
}

function usedBy(pid: number): ProcessCpu | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    const times = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
    return { name: nameOf(command), cpu: times.reduce((sum, ticks) => sum + Number(ticks) * tick, 0) }
  } catch {
    // The process has ended meanwhile, and its parent's figures include its time.
    return undefined
  }
}

/** PostgreSQL's processes are counted together, the product's own by their folder. */
function nameOf(command: string): string {
  if (command.startsWith('postgres') || command.includes('/bin/postgres')) return 'PostgreSQL'
  const own = /\/(?:apps|packages)\/([\w-]+)\/src\/(?:main|start)\.ts/.exec(command)?.[1]
  return own ?? basename(command.split(/[\0 ]/)[0] ?? '')
}

function usedByTree(pid: number): Map<string, number> {
  const sums = new Map<string, number>()
  for (const used of descendants(pid).flatMap((one) => usedBy(one) ?? []))
    sums.set(used.name, (sums.get(used.name) ?? 0) + used.cpu)
  return sums
}

function tellMemory(pid: number): void {
  const sums = new Map<string, number>()
  for (const { command, pss } of memoryOf(pid)) sums.set(nameOf(command), (sums.get(nameOf(command)) ?? 0) + pss / 1024)
  for (const [name, pss] of sums) figure(`memory when idle: ${name}`, [pss], mb)
  figure('memory when idle: all processes', [[...sums.values()].reduce((sum, pss) => sum + pss, 0)], mb)
}

async function transactions(data: string): Promise<number> {
  const client = new pg.Client((await runningUrl(join(data, 'postgres')))?.('gantry'))
  await client.connect()
  const { rows } = await client.query<{ count: string }>(
    'select sum(xact_commit + xact_rollback) as count from pg_stat_database where datname = current_database()',
  )
  await client.end()
  return Number(rows[0]?.count)
}

const count = (value: number): string => value.toFixed(0)

/** Prints what PostgreSQL logs in a separate minute, because logging itself takes time. */
async function tellStatements({ data, pid }: Product): Promise<void> {
  appendFileSync(join(data, 'postgres/18/postgresql.conf'), "log_statement = 'all'\n")
  process.kill(pid('postgres'), 'SIGHUP')
  const log = join(data, 'log/postgres.log')
  await sleep(1_000)
  const from = statSync(log).size
  await sleep(60_000)
  const statements = readFileSync(log)
    .subarray(from)
    .toString()
    .split(/^(?=\d{4}-\d\d-\d\d )/m)
    .flatMap((line) => /LOG: {2}(?:statement|execute [^:]*): (.*)/s.exec(line)?.[1] ?? [])
  const counts = new Map<string, number>()
  for (const statement of statements) {
    const start = statement.trim().replaceAll(/\s+/g, ' ').slice(0, 160)
    counts.set(start, (counts.get(start) ?? 0) + 1)
  }
  figure('statements of an idle minute', [statements.length], count)
  for (const [start, times] of [...counts].toSorted(([, a], [, b]) => b - a).slice(0, 15))
    console.log(`${String(times).padStart(6)} × ${start}`)
}

/**
 * What the product uses while nobody calls it, with the sample deployed: CPU, transactions and statements per minute,
 * and memory. Linux only.
 */
export async function benchIdle(product: Product, teamId: number): Promise<void> {
  const { admin, data } = product
  await admin.call(sample.create, { params: { teamId } })
  while ((await admin.call(sample.get, { params: { teamId } })).build?.state !== 'success') await sleep(500)
  const { pid } = JSON.parse(readFileSync(join(data, 'run/launcher.json'), 'utf8')) as { pid: number }
  // by then the garbage of the start is collected
  await sleep(90_000)
  const [before, begun] = [usedByTree(pid), await transactions(data)]
  await sleep(60_000)
  const [after, done] = [usedByTree(pid), await transactions(data)]
  let total = 0
  for (const [name, cpu] of after) {
    const used = cpu - (before.get(name) ?? 0)
    total += used
    figure(`CPU of an idle minute: ${name}`, [used], ms)
  }
  figure('CPU of an idle minute: all processes', [total], ms)
  tellMemory(pid)
  figure('transactions of an idle minute', [done - begun], count)
  await tellStatements(product)
}
