import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sample } from '@gantry/contract/sample/sample'
import { descendants } from '../scripts/memory.ts'
import { figure, ms } from './figures.ts'
import type { Product } from '../e2e/product.ts'

const tick = 1000 / Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout)

interface Used {
  name: string
  /** Milliseconds of CPU, those of its children that have ended included. */
  cpu: number
}

function usedBy(pid: number): Used | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    const times = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
    return { name: nameOf(command), cpu: times.reduce((sum, ticks) => sum + Number(ticks) * tick, 0) }
  } catch {
    // It ended meanwhile, and its parent has its time.
    return undefined
  }
}

/** PostgreSQL's processes together, others by their file. */
function nameOf(command: string): string {
  if (command.startsWith('postgres') || command.includes('/bin/postgres')) return 'PostgreSQL'
  const [program = '', ...args] = command.split('\0')
  return basename(args.findLast((arg) => /\.[cm]?[jt]s$/.test(arg)) ?? program)
}

function usedByTree(pid: number): Map<string, number> {
  const sums = new Map<string, number>()
  for (const used of descendants(pid).flatMap((one) => usedBy(one) ?? []))
    sums.set(used.name, (sums.get(used.name) ?? 0) + used.cpu)
  return sums
}

/** CPU of the product's processes in a minute in which nobody asks for anything, with the sample deployed. Linux only. */
export async function benchIdle({ admin, data }: Product, teamId: number): Promise<void> {
  await admin.call(sample.create, { params: { teamId } })
  while ((await admin.call(sample.get, { params: { teamId } })).build?.state !== 'success') await sleep(500)
  const { pid } = JSON.parse(readFileSync(join(data, 'run/launcher.json'), 'utf8')) as { pid: number }
  await sleep(30_000)
  const before = usedByTree(pid)
  await sleep(60_000)
  const after = usedByTree(pid)
  let total = 0
  for (const [name, cpu] of after) {
    const used = cpu - (before.get(name) ?? 0)
    total += used
    figure(`CPU of an idle minute: ${name}`, [used], ms)
  }
  figure('CPU of an idle minute: all processes', [total], ms)
}
