import { createHash } from 'node:crypto'
import type { Config } from '../config.ts'
import { openCgroups } from './cgroups.ts'
import { diskWatch } from './disk.ts'
import type { Limit, Running } from './executor.ts'
import type { Mode } from './scripts.ts'

/** Keeps steps within their limits: by cgroups where they can be had, else as far as ulimit reaches. */
export interface LimitKeeper {
  /** What keeps them, for the agent's log. */
  by: string
  /** The files by which a step's first process enters its cgroups. */
  groups: (running: Running) => string[]
  /** The group, below the machine's, that the containers of a step or service are made in; undefined: there is none. */
  parentOf: (room: Running['room'], name: string) => string | undefined
  /** The words in front of a step's command. */
  words: string[]
  /** For the shell, see scripts.ts. */
  ulimits: string
  /** Looks now and then, and says once that a limit is met; answers how to look for the last time, at how the step has ended. */
  watch: (running: Running, met: (limit: Limit) => void) => (exitCode: number | undefined) => Limit | undefined
  remove: (running: Running) => Promise<void>
  /** What is left of all containers of a build. */
  removeAll: (room: Running['room']) => Promise<void>
  /** Nothing runs any more. */
  close: () => void
}

const lookMs = 200

/** How a shell says that signal 25 (XFSZ) has ended a command: it wrote a file that is longer than all that it may have. */
const fileTooLong = 128 + 25

type Given = Pick<Config, 'dir' | 'limits'>

export function keeper({ dir, limits }: Given, mode: Mode): LimitKeeper {
  const name = `gantry-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}`
  const groups = mode === 'none' ? undefined : openCgroups(name, mode === 'root', limits)
  groups?.sweep()
  /** Builds that have had more of the disk than they may: a step that runs always still has to end properly. */
  const overfull = new WeakSet<Running['room']>()
  const below = ({ jobId, attempt }: Running['room'], name: string): string => `${jobId}-${attempt}-${name}`
  const nameOf = ({ room, step }: Running): string => below(room, String(step))
  return {
    by: groups === undefined ? 'ulimit, for each process alone' : `cgroups, version ${groups.version}`,
    groups: (running) => groups?.make(nameOf(running)) ?? [],
    parentOf: (room, name) => groups?.parent(below(room, name)),
    // Where a group has no weight, being nice is next best.
    words: groups === undefined && mode !== 'none' ? ['nice', '-n', '10'] : [],
    ulimits: [
      'c=0',
      'n=65536',
      // Higher than the group's: only that tells when it is met.
      `p=${groups === undefined ? limits.processes : limits.processes * 2}`,
      `f=${Math.ceil(limits.disk / 512)}`,
      ...(groups === undefined ? [`d=${Math.ceil(limits.memory / 1024)}`] : []),
    ].join(' '),

    watch(running, tell) {
      const isFull = diskWatch(running.room.dir, limits.disk, overfull.has(running.room) ? limits.disk / 8 : undefined)
      let found: Limit | undefined
      const say = (limit: Limit | undefined): void => {
        if (found !== undefined || limit === undefined) return
        found = limit
        tell(limit)
      }
      const timer = setInterval(() => {
        say(groups?.met(nameOf(running)))
        // A folder that cannot be looked at is one that is being removed.
        void isFull().then(
          (full) => say(full ? 'disk' : undefined),
          () => {},
        )
      }, lookMs)
      return (exitCode) => {
        clearInterval(timer)
        const limit = found ?? groups?.met(nameOf(running), exitCode) ?? (exitCode === fileTooLong ? 'disk' : undefined)
        if (limit === 'disk') overfull.add(running.room)
        return limit
      }
    },

    remove: async (running) => groups?.remove(nameOf(running)),
    removeAll: async (room) => groups?.removeAll(below(room, '')),
    close: () => groups?.close(),
  }
}
