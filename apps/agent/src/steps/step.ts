import type { Client } from '../client.ts'
import type { Executor } from '../executors/executor.ts'
import type { Log } from '../log.ts'
import type { AgentEvent, Reason, Step, Work } from '../protocol.ts'
import type { Transport } from '../http.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** The context of a step of any type. */
export interface StepContext<S extends Step = Step> {
  step: S
  /** The step's number in the build. */
  index: number
  /** The outputs of earlier steps of the build, by `step.KEY`. */
  outputs: ReadonlyMap<string, string>
  work: Work
  room: Workspace
  /** Whether an earlier agent process began this step. */
  adopted: boolean
  /** Aborted with a Stop or a StepFailure: the step must end; what it throws then is ignored. */
  signal: AbortSignal
  /** Adds a line to the step's log. A step rerun after a restart repeats its lines, which are written only once. */
  say: (line: string) => void
  /** Masks secrets that came during the step, not with the job, in its log and outputs from now on. */
  hide: (secrets: readonly string[]) => void
  /** Masks a text about the step as its log is masked. */
  mask: (text: string) => string
  report: (event: AgentEvent) => void
  /** Resolves when the server has received all events of the build so far. */
  reported: () => Promise<void>
  onAnswer: (answer: { cancel: boolean }) => void
  client: Client
  executor: Executor
  /** PEM of an authority that the installation trusts besides the usual ones. */
  ca: string | undefined
  /** The transport for a registry. */
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
