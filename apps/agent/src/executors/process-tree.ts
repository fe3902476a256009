import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** Reads processes from /proc. All results are snapshots: a process may be gone at the next moment. */
export interface Identity {
  pid: number
  /** In clock ticks since the boot; with the pid it identifies one process. */
  startTime: string
  boot: string
}

interface Stat {
  state: string
  group: number
  session: number
  startTime: string
}

function statOf(pid: number | string): Stat | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return { ...parseStat(line) }
  } catch {
    return undefined
  }
}

/** The name in parentheses may contain anything, even parentheses and spaces: fields are counted after the last one. */
function parseStat(line: string): Stat {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return {
    state: fields[0] ?? '',
    group: Number(fields[2]),
    session: Number(fields[3]),
    startTime: fields[19] ?? '',
  }
}

/** Systems other than Linux have no /proc: there only the pid identifies a process. */
const linux = process.platform === 'linux'

const bootId = (): string => (linux ? readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim() : 'none')

export function identityOf(process: number | 'self'): Identity {
  const line = readFileSync(`/proc/${process}/stat`, 'latin1')
  return { pid: Number.parseInt(line, 10), startTime: parseStat(line).startTime, boot: bootId() }
}

/** Reads the identity that the wrapper wrote. */
export function readIdentity(file: string): Identity | undefined {
  let text: string
  try {
    text = readFileSync(file, 'latin1')
  } catch {
    return undefined
  }
  if (!text.endsWith('\n')) return undefined
  const [boot = '', pid = ''] = text.split(' ')
  return { boot, pid: Number(pid), startTime: parseStat(text.trimEnd()).startTime }
}

export function isAlive({ pid, startTime, boot }: Identity): boolean {
  if (!linux) return isThere(pid)
  const stat = statOf(pid)
  return stat !== undefined && stat.state !== 'Z' && stat.startTime === startTime && boot === bootId()
}

const namespaceOf = (pid: number | string): string | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`)
  } catch {
    return undefined
  }
}

const carries = (pid: string, cookie: string): boolean => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(cookie)
  } catch {
    return false
  }
}

/** The children of a process; empty if the kernel keeps no list of them. */
function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** The first processes of PID namespaces that a process and its descendants have created. */
function initsBelow(pid: number, own: string | undefined): Identity[] {
  return childrenOf(pid).flatMap((child) => {
    const namespace = namespaceOf(child)
    if (namespace === undefined) return []
    const stat = namespace === own ? undefined : statOf(child)
    return stat ? [{ pid: child, startTime: stat.startTime, boot: bootId() }] : initsBelow(child, own)
  })
}

/** The first process in a step's PID namespace. */
export const firstInside = (leader: Identity): Identity | undefined =>
  isAlive(leader) ? initsBelow(leader.pid, namespaceOf('self'))[0] : undefined

/** Kills every process with this in its environment. A process that has removed it ends with its step. */
export async function killCarriers(cookie: string): Promise<void> {
  for (let round = 0; round < 500; round++) {
    const found = readdirSync('/proc').filter(
      (name) => /^\d+$/.test(name) && carries(name, cookie) && statOf(name)?.state !== 'Z',
    )
    if (found.length === 0) return
    for (const name of found) send(Number(name), 'SIGKILL')
    await sleep(Math.min(50, 2 + round))
  }
}

/** The kernel ends a whole namespace with its first process, which stays until all the others are gone. */
async function killNamespaces(inits: Identity[]): Promise<void> {
  for (const { pid } of inits) send(pid, 'SIGKILL')
  for (let round = 0; round < 200 && inits.some(isAlive); round++) await sleep(Math.min(50, 2 + round))
}

/**
 * Kills everything that a step has started, and waits until it is gone: its process group and session, its whole PID
 * namespace and, if it had none, every process with its cookie in the environment. False if some cannot be killed.
 */
export async function killTree(leader: Identity, cookie: string | undefined): Promise<boolean> {
  if (leader.boot !== bootId()) return true
  if (!linux) {
    send(-leader.pid, 'SIGKILL')
    return true
  }
  const own = namespaceOf('self')
  if (isAlive(leader)) await killNamespaces(initsBelow(leader.pid, own))
  const namespaces = new Set<string>()
  // the leader's pid may belong to another process by now; then its group is not the step's either
  const foreign = (): boolean => {
    const stat = statOf(leader.pid)
    return stat !== undefined && stat.startTime !== leader.startTime
  }
  /** Kills remaining processes and returns their number. Yields in between, because there may be thousands. */
  async function killSome(): Promise<number> {
    const grouped = !foreign()
    let killed = 0
    let seen = 0
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
      if (++seen % 100 === 0) await nextTurn()
      const stat = statOf(name)
      if (stat === undefined || stat.state === 'Z') continue
      const namespace = namespaceOf(name)
      const ofGroup = grouped && (stat.group === leader.pid || stat.session === leader.pid)
      if (ofGroup && namespace !== undefined && namespace !== own) namespaces.add(namespace)
      const ofNamespace = namespace !== undefined && namespaces.has(namespace)
      if (!ofGroup && !ofNamespace && !(cookie !== undefined && carries(name, cookie))) continue
      send(Number(name), 'SIGKILL')
      killed += 1
    }
    return killed
  }
  for (let round = 0; round < 500; round++) {
    if ((await killSome()) === 0) return true
    await sleep(round < 20 ? 2 : 10)
  }
  return false
}

/** Signals one process, or a group by its negative number; a missing one is not an error. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (cause) {
    if (!['ESRCH', 'EPERM'].includes((cause as NodeJS.ErrnoException).code ?? '')) throw cause
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
