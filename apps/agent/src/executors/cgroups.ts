import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a cgroup bounds; the rest of a build's limits is kept by other means. */
export interface Bounded {
  /** Bytes. */
  memory: number
  processes: number
}

export type ReachedLimit = 'memory' | 'processes'

/** Control groups, one a step, below one of the agent's own. */
export interface Cgroups {
  version: 1 | 2
  /** Returns the files to which a process writes 0 to join the group, with everything that it starts. */
  make: (name: string) => string[]
  /**
   * A group in which others are made, within its bounds: how an engine that makes groups itself names it.
   */
  parent: (name: string) => string
  /** `exitCode` once what ran in it has ended. */
  met: (name: string, exitCode?: number) => ReachedLimit | undefined
  /** Once nothing runs in it any more. */
  remove: (name: string) => Promise<void>
  /** Those whose names begin so. */
  removeAll: (prefix: string) => Promise<void>
  /** Takes away what an earlier life of the agent left, but for what still runs. */
  sweep: () => void
  /** Takes away the agent's own group too, where nothing runs. */
  close: () => void
}

/** Against 100 of everything that is not a build (in version 1, of every process). */
const weight = 20

/** Memory is charged in advance: a group is full a little below its bound. */
const batch = 1024 ** 2

/** How a shell says that signal 9 has ended a command. */
const killed = 128 + 9

/** `all`: the agent may make groups wherever it likes, being root. Undefined: this machine gives it no place for groups. */
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

/** For what not every kernel has: a bound of swap, the weight. */
function tryWrite(file: string, text: string | number): void {
  try {
    if (existsSync(file)) write(file, text)
  } catch {
    // The bound of memory holds all the same.
  }
}

function versionOne(name: string, bounded: Bounded, root: string): Cgroups {
  const bases = ['memory', 'pids', 'cpu'].map((controller) => join(root, controller, name))
  const [memory = '', pids = '', cpu = ''] = bases
  for (const base of bases) mkdirSync(base, { recursive: true })
  tryWrite(join(cpu, 'cpu.shares'), Math.round((1024 * weight) / 100))
  const parents = new Set<string>()
  const groups = {
    // engines make groups for each controller that there is
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
    met(step: string, exitCode?: number): ReachedLimit | undefined {
      if (count(join(memory, step, 'memory.oom_control'), 'oom_kill') > 0) return 'memory'
      // who was killed in a group below is told there, and that is gone: what was killed once all memory was used was
      // killed for it
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
    met(step: string): ReachedLimit | undefined {
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

/** A group with processes has no groups below it that are bounded: those of the product move into one of their own first. */
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
      // engines leave groups of their own behind
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
      // What was killed may not be gone yet.
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

/** A line `<name> <number>` of a file of counters. */
function count(file: string, name: string): number {
  try {
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(readFileSync(file, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
