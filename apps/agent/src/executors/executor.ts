import type { Network } from '../network/network.ts'
import type { Workspace, Slot } from '../workspace/workspace.ts'
import type { Work } from '../protocol.ts'
import type { ReachedLimit } from './cgroups.ts'

/** What a build may have too much of. */
export type Limit = ReachedLimit | 'disk'

/** Of `Command.files` the one that is removed as soon as its step has ended, as the step's environment is. */
export const sshKey = 'ssh-key'

/** One thing to run in a build's workspace: a user's script, or one of ours. */
export interface Command {
  step: number
  shell: 'sh' | 'bash'
  /** The text of the script; runs in the workspace with `-e`. */
  script: string
  environment: { name: string; value: string }[]
  /**
   * It is root of a user namespace of its own, with 65,535 users below: what a container engine needs. Outside it is the
   * step's own user, without any right.
   */
  asRoot?: boolean
  /** Files beside the script, for the step to read. */
  files?: Record<string, string>
  /** The image that it runs in, and the services beside it; without, it is a process of the machine. */
  container?: Pick<Work, 'image' | 'services'>
}

/** While a command is about to start: images are pulled and services started first. */
export interface StepStart {
  signal: AbortSignal
  /** A line for the step's log. */
  say: (line: string) => void
}

/** A process tree that runs, or has run, for one step. */
export interface Running {
  room: Workspace
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
  shown: (room: Workspace, step: number, file: string) => string
  /** How a step gets to a repository: under which address, and by which proxy. Throws a StepFailure where it does not. */
  route: Network['route']
  /** Makes the room of a build. Throws where the disk is full. */
  prepare: (work: Work, slot: Slot) => Promise<Workspace>
  /** Starts a step; its output goes to the spool. Throws where that cannot be done at all. */
  start: (room: Workspace, command: Command, beginning?: StepStart) => Promise<Running>
  /** The step that an earlier life of the agent started, running or ended; undefined: it was never started. */
  adopt: (room: Workspace, step: number) => Promise<Running | undefined>
  /** Signals the whole tree. KILL returns when nothing of it is left. */
  signal: (running: Running, signal: 'TERM' | 'KILL') => Promise<void>
  wait: (running: Running) => Promise<Ended>
  /** Ends all processes of a build and removes its room. */
  cleanup: (room: Workspace) => Promise<void>
}
