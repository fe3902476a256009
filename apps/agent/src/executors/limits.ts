import { createHash } from 'node:crypto'
import type { Config } from '../config.ts'
import { openCgroups } from './cgroups.ts'
import { diskWatch } from './disk.ts'
import type { Limit, Running } from './executor.ts'
import type { Mode } from './scripts.ts'

/** Enforces the limits of steps: by cgroups if they are available, else as far as ulimit can. */
export interface LimitKeeper {
  /** How limits are enforced, for the agent's log. */
  by: string
  /** The files by which a step's first process joins its cgroups. */
  groups: (running: Running) => string[]
  /** The group for the containers of a step or service, as a path below the root; undefined: there are no groups. */
  parentOf: (room: Running['room'], name: string) => string | undefined
  /** Words before a step's command. */
  words: string[]
  /** The ulimits in the form of scripts.ts. */
  ulimits: string
  /** Checks regularly, and calls `onLimit` once a limit is reached. Returns the last check, to be made after the end. */
  watch: (running: Running, onLimit: (limit: Limit) => void) => (exitCode: number | undefined) => Limit | undefined
  remove: (running: Running) => Promise<void>
  /** Removes the groups of all containers of a build. */
  removeAll: (room: Running['room']) => Promise<void>
  /** Removes the agent's own group too, once nothing runs. */
  close: () => void
}

const pollMs = 200

/** The exit code in a shell after signal 25 (XFSZ): a file became larger than the limit of the disk. */
const fileTooLong = 128 + 25

type Given = Pick<Config, 'dir' | 'limits'>

export function keeper({ dir, limits }: Given, mode: Mode): LimitKeeper {
  const name = `gantry-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}`
  const groups = mode === 'none' ? undefined : openCgroups(name, mode === 'root', limits)
  groups?.sweep()
  /** Builds that have exceeded the disk's limit: their steps that always run get some space more, to end properly. */
  const overfull = new WeakSet<Running['room']>()
  const below = ({ jobId, attempt }: Running['room'], name: string): string => `${jobId}-${attempt}-${name}`
  const nameOf = ({ room, step }: Running): string => below(room, String(step))
  return {
    by: groups === undefined ? 'ulimit, for each process alone' : `cgroups, version ${groups.version}`,
    groups: (running) => groups?.make(nameOf(running)) ?? [],
    parentOf: (room, name) => groups?.parent(below(room, name)),
    // groups have a weight; without groups, nice has a similar effect
    words: groups === undefined && mode !== 'none' ? ['nice', '-n', '10'] : [],
    ulimits: [
      'c=0',
      'n=65536',
      // higher than the group's limit, because only the group reports that its limit was reached
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
        say(groups?.reached(nameOf(running)))
        // a folder that cannot be read is being removed
        void isFull().then(
          (full) => say(full ? 'disk' : undefined),
          () => {},
        )
      }, pollMs)
      return (exitCode) => {
        clearInterval(timer)
        const limit =
          found ?? groups?.reached(nameOf(running), exitCode) ?? (exitCode === fileTooLong ? 'disk' : undefined)
        if (limit === 'disk') overfull.add(running.room)
        return limit
      }
    },

    remove: async (running) => groups?.remove(nameOf(running)),
    removeAll: async (room) => groups?.removeAll(below(room, '')),
    close: () => groups?.close(),
  }
}
