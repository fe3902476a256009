import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process that cannot be mistaken for a later one with the same number. */
export interface Identity {
  pid: number
  started: string
}

const linuxStart = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name stands in brackets and may hold anything; what follows it are the state and, 19 fields on, the start in ticks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z') return undefined
    return `${fields[19]}@${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`
  } catch {
    return undefined
  }
}

const psStart = (pid: number): string | undefined =>
  spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || undefined

/** Undefined where no such process runs. Windows tells no start time without a tool, so there nothing is ever taken for a leftover. */
export const identify = (pid: number): Identity | undefined => {
  const start = { linux: linuxStart, darwin: psStart }[process.platform as string]
  const started = start?.(pid)
  return started === undefined ? undefined : { pid, started }
}

export const isRunning = ({ pid, started }: Identity): boolean => identify(pid)?.started === started

/** Asks it to end, and ends it when it has not after `graceMs`. */
export const endProcess = async (identity: Identity, graceMs: number): Promise<void> => {
  const until = performance.now() + graceMs
  for (let asked = false, killed = false; isRunning(identity); await sleep(20)) {
    const signal = performance.now() > until ? 'SIGKILL' : 'SIGTERM'
    if (signal === 'SIGKILL' ? killed : asked) continue
    if (signal === 'SIGKILL') killed = true
    asked = true
    try {
      process.kill(identity.pid, signal)
    } catch {
      // It ended between the two looks.
    }
  }
}
