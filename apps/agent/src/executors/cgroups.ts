import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The limits that a cgroup enforces; the other limits of a build are enforced otherwise. */
export interface Bounded {
  /** Bytes. */
  memory: number
  processes: number
}

export type ReachedLimit = 'memory' | 'processes'

/** Control groups, one per step, below the agent's own group. */
export interface Cgroups {
  version: 1 | 2
  /** Returns the files to which a process writes 0 to join the group, with everything that it starts. */
  make: (name: string) => string[]
  /** A group for an engine that creates its own groups inside; returns its name for the engine. */
  parent: (name: string) => string
  /** The limit that was reached; pass `exitCode` once the processes in the group have ended. */
  reached: (name: string, exitCode?: number) => ReachedLimit | undefined
  /** Removes a group once no process runs in it. */
  remove: (name: string) => Promise<void>
  /** Removes all groups whose names begin with this. */
  removeAll: (prefix: string) => Promise<void>
  /** Removes groups that an earlier agent process left, except where processes still run. */
  sweep: () => void
  /** Also removes the agent's own group, once no process runs in it. */
  close: () => void
}

/** Relative to 100 for everything that is not a build (in version 1, for each process). */
const weight = 20

/** Memory is charged in batches: a group is full slightly below its limit. */
const batch = 1024 ** 2

/** The exit code in a shell of a command that signal 9 has killed. */
const killed = 128 + 9

/** `all`: the agent is root and may create groups anywhere. Undefined: groups cannot be created on this machine. */
export function openCgroups(
  name: string,
  all: boolean,
  bounded: Bounded,
  root = '/sys/fs/cgroup',
  self = '/proc/self/cgroup',
): Cgroups | undefined {
  try {
    return existsSync(join(root, 'cgroup.controllers'))
      ? versionTwo(name, all, bounded, root, self)
      : versionOne(name, bounded, root)
  } catch {
    return undefined
  }
}

const write = (file: string, text: string | number): void => writeFileSync(file, `${text}\n`)

/** For settings that not every kernel has: the limit of swap, the weight. */
function tryWrite(file: string, text: string | number): void {
  try {
    if (existsSync(file)) write(file, text)
  } catch {
    // The limit of memory works nevertheless.
  }
}

function versionOne(name: string, bounded: Bounded, root: string): Cgroups {
  const bases = ['memory', 'pids', 'cpu'].map((controller) => join(root, controller, name))
  const [memory = '', pids = '', cpu = ''] = bases
  for (const base of bases) mkdirSync(base, { recursive: true })
  tryWrite(join(cpu, 'cpu.shares'), Math.round((1024 * weight) / 100))
  const parents = new Set<string>()
  const groups = {
    // engines create groups for each existing controller
    ...common(readdirSync(root).map((controller) => join(root, controller, name))),
    version: 1 as const,
    make(step: string) {
      for (const base of bases) mkdirSync(join(base, step), { recursive: true })
      write(join(memory, step, 'memory.limit_in_bytes'), bounded.memory)
      tryWrite(join(memory, step, 'memory.memsw.limit_in_bytes'), bounded.memory)
      write(join(pids, step, 'pids.max'), bounded.processes)
      return bases.map((base) => join(base, step, 'cgroup.procs'))
    },
    parent(step: string) {
      groups.make(step)
      parents.add(step)
      return `/${name}/${step}`
    },
    reached(step: string, exitCode?: number): ReachedLimit | undefined {
      if (count(join(memory, step, 'memory.oom_control'), 'oom_kill') > 0) return 'memory'
      // the counter of a kill is in the group below, which is already removed: a kill while all memory was used was for
      // memory
      const used = number(join(memory, step, 'memory.max_usage_in_bytes'))
      const refused = parents.has(step) && exitCode === killed && used + batch >= bounded.memory
      if (refused) return 'memory'
      return count(join(pids, step, 'pids.events'), 'max') > 0 ? 'processes' : undefined
    },
  }
  return groups
}

function versionTwo(name: string, all: boolean, bounded: Bounded, root: string, self: string): Cgroups {
  const own = join(root, /^0::(.*)$/m.exec(readFileSync(self, 'utf8'))?.[1] ?? '')
  const parent = (all ? [root, own] : [own]).find(delegates)
  if (parent === undefined) throw new Error('no group may be made')
  const base = join(parent, name)
  mkdirSync(base, { recursive: true })
  enable(base)
  tryWrite(join(base, 'cpu.weight'), weight)
  const groups = {
    ...common([base]),
    version: 2 as const,
    make(step: string) {
      const group = join(base, step)
      mkdirSync(group, { recursive: true })
      write(join(group, 'memory.max'), bounded.memory)
      tryWrite(join(group, 'memory.swap.max'), 0)
      write(join(group, 'pids.max'), bounded.processes)
      return [join(group, 'cgroup.procs')]
    },
    parent(step: string) {
      groups.make(step)
      return `/${relative(root, join(base, step))}`
    },
    // events of groups below count here too
    reached(step: string): ReachedLimit | undefined {
      if (count(join(base, step, 'memory.events'), 'oom_kill') > 0) return 'memory'
      return count(join(base, step, 'pids.events'), 'max') > 0 ? 'processes' : undefined
    },
  }
  return groups
}

function enable(group: string): void {
  const has = readFileSync(join(group, 'cgroup.controllers'), 'utf8').trim().split(' ')
  if (!has.includes('memory') || !has.includes('pids')) throw new Error('no controllers')
  const wanted = ['memory', 'pids', 'cpu'].filter((controller) => has.includes(controller))
  write(join(group, 'cgroup.subtree_control'), wanted.map((controller) => `+${controller}`).join(' '))
}

/** Whether groups below can be limited. This one may have no processes: the product's own move into a group below. */
function delegates(group: string): boolean {
  const attempt = (): boolean => {
    enable(group)
    return true
  }
  try {
    return attempt()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EBUSY') return false
  }
  try {
    const aside = join(group, 'gantry-itself')
    mkdirSync(aside, { recursive: true })
    for (const pid of readFileSync(join(group, 'cgroup.procs'), 'utf8').trim().split('\n'))
      write(join(aside, 'cgroup.procs'), pid)
    return attempt()
  } catch {
    return false
  }
}

function common(bases: string[]): Pick<Cgroups, 'remove' | 'removeAll' | 'sweep' | 'close'> {
  const tryRemove = (group: string): boolean => {
    try {
      // engines leave their own groups behind
      if (!bases.includes(group)) for (const name of groupsBelow(group)) tryRemove(join(group, name))
      rmdirSync(group)
      return true
    } catch (cause) {
      return (cause as NodeJS.ErrnoException).code === 'ENOENT'
    }
  }
  function sweep(): void {
    for (const base of bases) for (const name of groupsBelow(base)) tryRemove(join(base, name))
  }
  async function remove(name: string): Promise<void> {
    for (const group of bases.map((base) => join(base, name)))
      // killed processes may take a moment to disappear
      for (let i = 0; i < 50 && !tryRemove(group); i++) await sleep(20)
  }
  return {
    remove,
    async removeAll(prefix) {
      const left = bases.flatMap((base) => groupsBelow(base).filter((name) => name.startsWith(prefix)))
      for (const name of new Set(left)) await remove(name)
    },
    sweep,
    close() {
      sweep()
      bases.forEach(tryRemove)
    },
  }
}

function groupsBelow(group: string): string[] {
  try {
    return readdirSync(group, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  } catch {
    return []
  }
}

function number(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return 0
  }
}

/** Reads the line `<name> <number>` from a file of counters. */
function count(file: string, name: string): number {
  try {
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(readFileSync(file, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
