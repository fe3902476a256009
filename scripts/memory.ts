import { readdirSync, readFileSync } from 'node:fs'

/**
 * Memory of a process and all its descendants: proportional set sizes, so that shared pages are counted once. Linux
 * only; needs the rights of the processes' user.
 *
 * node scripts/memory.ts <pid> [limit in MB]
 */
export interface ProcessMemory {
  pid: number
  command: string
  /** Proportional set size in kB. */
  pss: number
}

const fieldOf = (file: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(file, 'utf8'))?.[1])

/** The process and all its descendants. */
export const descendants = (pid: number): number[] => {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [[Number(name), fieldOf(`/proc/${name}/status`, 'PPid')] as const]
      } catch {
        return []
      }
    })
  const below = (of: number): number[] =>
    parents.filter(([, parent]) => parent === of).flatMap(([own]) => [own, ...below(own)])
  return [pid, ...below(pid)]
}

export const memoryOf = (pid: number): ProcessMemory[] =>
  descendants(pid).flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return [{ pid, command, pss: fieldOf(`/proc/${pid}/smaps_rollup`, 'Pss') }]
    } catch {
      // The process has ended meanwhile.
      return []
    }
  })

if (import.meta.main) {
  const [pid, limit] = process.argv.slice(2).map(Number)
  const processes = memoryOf(pid ?? Number.NaN)
  const total = processes.reduce((sum, { pss }) => sum + pss, 0)
  const row = (kB: number, text: string) => console.log(`${(kB / 1024).toFixed(1).padStart(7)} MB  ${text}`)
  for (const { pss, pid, command } of processes) row(pss, `${pid}  ${command.slice(0, 100)}`)
  row(total, 'in all')
  if (processes.length === 0 || (limit !== undefined && total / 1024 > limit)) process.exitCode = 1
}
