import type { Network } from '../network/network.ts'
import type { Room, Slot } from '../workspace.ts'
import type { Work } from '../protocol.ts'
import type { Met } from './cgroups.ts'

/** What a build may have too much of. */
export type Limit = Met | 'disk'

/** One thing to run in a build's workspace: a user's script, or one of ours. */
export interface Command {
  step: number
  shell: 'sh' | 'bash'
  /** The text of the script; runs in the workspace with `-e`. */
  script: string
  environment: { name: string; value: string }[]
  /** Files beside the script, for the step to read. */
  files?: Record<string, string>
}

/** A process tree that runs, or has run, for one step. */
export interface Running {
  room: Room
  step: number
}

export type Ended =
  | { how: 'exit'; code: number }
  /** Because the build took all that it may have; `most` is how much that is, in the words of people. */
  | { how: 'limit'; limit: Limit; most: string }
  /** Gone without leaving its exit code: killed from outside, or the machine restarted. */
  | { how: 'lost' }

/**
 * Where steps run. A step outlives the agent: it writes to its spool, leaves its exit code in a file, and an agent that comes
 * back adopts it.
 */
export interface Executor {
  /** The path at which a step sees a file of its `Command.files`. */
  shown: (room: Room, step: number, file: string) => string
  /** How a step gets to a repository: under which address, and by which proxy. Throws a StepFailure where it does not. */
  route: Network['route']
  /** Makes the room of a build. Throws where the disk is full. */
  prepare: (work: Work, slot: Slot) => Promise<Room>
  /** Starts a step; its output goes to the spool. Throws where that cannot be done at all. */
  start: (room: Room, command: Command) => Promise<Running>
  /** The step that an earlier life of the agent started, running or ended; undefined: it was never started. */
  adopt: (room: Room, step: number) => Promise<Running | undefined>
  /** Signals the whole tree. KILL returns when nothing of it is left. */
  signal: (running: Running, signal: 'TERM' | 'KILL') => Promise<void>
  wait: (running: Running) => Promise<Ended>
  /** Ends all processes of a build and removes its room. */
  cleanup: (room: Room) => Promise<void>
}
