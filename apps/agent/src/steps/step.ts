import type { Client } from '../client.ts'
import type { Executor } from '../executors/executor.ts'
import type { Log } from '../log.ts'
import type { AgentEvent, Reason, Step, Work } from '../protocol.ts'
import type { Transport } from '../http.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** What a step of any type is given. */
export interface StepContext<S extends Step = Step> {
  step: S
  /** Its position in the build. */
  index: number
  /** What earlier steps of the build have told, by `step.KEY`. */
  outputs: ReadonlyMap<string, string>
  work: Work
  room: Workspace
  /** An earlier life of the agent began this step. */
  adopted: boolean
  /** Aborted with a Stop or a StepFailure: the step must end, and what it throws then is ignored. */
  signal: AbortSignal
  /** One line for the step's log. A step that runs again after a restart says its lines again: those are written once. */
  say: (line: string) => void
  /** Keeps secrets that came with no job, but during the step, out of its log and outputs from here on. */
  hide: (secrets: readonly string[]) => void
  /** Masks what is told of the step elsewhere than in its log as the log is masked. */
  mask: (text: string) => string
  report: (event: AgentEvent) => void
  /** Resolves when the server knows everything that was reported of the build so far. */
  reported: () => Promise<void>
  told: (answer: { cancel: boolean }) => void
  client: Client
  executor: Executor
  /** A certificate authority that the installation trusts beside the usual ones, in PEM. */
  ca: string | undefined
  /** Connections to a registry. */
  outside: (registry: Pick<Work['registries'][number], 'insecure' | 'ca'>) => Transport
  log: Log
}

export interface StepResult {
  state: 'success' | 'failed'
  exitCode?: number
  reason?: Reason
}

export const success: StepResult = { state: 'success' }

export type RunStep = (ctx: StepContext) => Promise<StepResult>
