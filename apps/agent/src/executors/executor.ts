import type { Network } from '../network/network.ts'
import type { Workspace, Slot } from '../workspace/workspace.ts'
import type { Work } from '../protocol.ts'
import type { ReachedLimit } from './cgroups.ts'

/** The limits that a build may exceed. */
export type Limit = ReachedLimit | 'disk'

/** The SSH key in `Command.files`; it is removed once its step has ended, like the step's environment. */
export const sshKey = 'ssh-key'

/** A command to run in a build's workspace: a user's script, or one of the product. */
export interface Command {
  step: number
  shell: 'sh' | 'bash'
  /** The script; runs in the workspace with `-e`. */
  script: string
  environment: { name: string; value: string }[]
  /**
   * Runs as root of its own user namespace with 65,535 subordinate users, as container engines need. Outside of it, it
   * is the step's own user without any rights.
   */
  asRoot?: boolean
  /** Files beside the script, for the step to read. */
  files?: Record<string, string>
  /** The image that it runs in, and the services beside it; undefined: it is a process of the machine. */
  container?: Pick<Work, 'image' | 'services'>
}

/** Used while a command starts, when images are pulled and services started. */
export interface StepStart {
  signal: AbortSignal
  /** Adds a line to the step's log. */
  say: (line: string) => void
}

/** The processes of a step, running or ended. */
export interface Running {
  room: Workspace
  step: number
}

export type Ended =
  | { how: 'exit'; code: number }
  /** The build has reached a limit; `most` is the limit in words. */
  | { how: 'limit'; limit: Limit; most: string }
  /** The processes are gone without an exit code: killed from outside, or the machine was restarted. */
  | { how: 'lost' }

/**
 * Runs steps. A step outlives the agent: its output goes to its spool and its exit code to a file, and a restarted
 * agent adopts it.
 */
export interface Executor {
  /** The path at which a step sees a file of its `Command.files`. */
  pathOf: (room: Workspace, step: number, file: string) => string
  /** The URL and the proxy by which a step reaches a repository. Throws a StepFailure if it may not. */
  route: Network['route']
  /** Creates the folder of a build. Throws if the disk is full. */
  prepare: (work: Work, slot: Slot) => Promise<Workspace>
  /** Starts a step; its output goes to the spool. Throws if that is not possible. */
  start: (room: Workspace, command: Command, beginning?: StepStart) => Promise<Running>
  /** The step that an earlier agent process started, running or ended; undefined: it was never started. */
  adopt: (room: Workspace, step: number) => Promise<Running | undefined>
  /** Signals all processes of a step. With KILL, returns once none is left. */
  signal: (running: Running, signal: 'TERM' | 'KILL') => Promise<void>
  wait: (running: Running) => Promise<Ended>
  /** Ends all processes of a build and removes its folder. */
  cleanup: (room: Workspace) => Promise<void>
}
