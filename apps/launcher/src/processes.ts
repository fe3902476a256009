import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Identifies a process so that a later one with the same number is not mistaken for it. */
export interface Identity {
  pid: number
  started: string
}

const linuxStart = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name is in parentheses and may contain anything; then come the state and, 19 fields on, the start in ticks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z') return undefined
    return `${fields[19]}@${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`
  } catch {
    return undefined
  }
}

const psStart = (pid: number): string | undefined =>
  spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || undefined

/** Undefined if there is no such process. Always undefined on Windows, which gives no start time without a tool. */
export const identify = (pid: number): Identity | undefined => {
  const start = { linux: linuxStart, darwin: psStart }[process.platform as string]
  const started = start?.(pid)
  return started === undefined ? undefined : { pid, started }
}

export const isRunning = ({ pid, started }: Identity): boolean => identify(pid)?.started === started

/** Asks the process to end, and kills it if it has not ended after `graceMs`. */
export const endProcess = async (identity: Identity, graceMs: number): Promise<void> => {
  const until = performance.now() + graceMs
  for (let termSent = false, killed = false; isRunning(identity); await sleep(20)) {
    const signal = performance.now() > until ? 'SIGKILL' : 'SIGTERM'
    if (signal === 'SIGKILL' ? killed : termSent) continue
    if (signal === 'SIGKILL') killed = true
    termSent = true
    try {
      process.kill(identity.pid, signal)
    } catch {
      // the process ended after the check
    }
  }
}
