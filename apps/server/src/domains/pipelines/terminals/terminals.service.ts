import type { AskedTerminal } from '@gantry/contract/agents/terminals'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { workOfJob } from '../builds/work.service.ts'
import { jobTitle } from '../jobs/title.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import { queued } from '../queue/queue.service.ts'
import { requestTerminal, findJob, takeRequests } from './terminals.store.ts'

export interface Target {
  agentId: number
  agentName: string
  jobId: number
  attempt: number
  /** Null for the workspace that the failed job has kept. */
  step: { index: number; name: string } | null
  /** For the audit log. */
  title: string
}

type Key = Parameters<typeof getPipeline>[1]

/** The job and step for a terminal; throws why there can be none, and what to do. */
export async function findTarget(
  ctx: Ctx,
  { id, number, job: index }: { id: Key; number: number; job: number },
): Promise<Target> {
  const pipeline = await getPipeline(ctx, id)
  const job = await findJob(ctx.db, pipeline.id, number, index)
  if (!job) throw new Fault('missing', 'resource-missing')
  const conflict = (key: ConstructorParameters<typeof Fault>[1], vars = {}) => new Fault('conflict', key, vars)
  const { state, agentId, agentName, executor } = job
  if (state === 'failed' && executor === 'kubernetes') throw conflict('pipelines-terminal-pod-gone')
  if (state === 'failed' && job.workspace === null) throw conflict('pipelines-terminal-not-kept')
  if (state !== 'building' && state !== 'failed')
    throw conflict(
      state === 'pending' || state === 'queued' ? 'pipelines-terminal-not-begun' : 'pipelines-terminal-ended',
    )
  if (agentId === null || agentName === null) throw conflict('pipelines-terminal-agent-gone')
  const agent = { agent: agentName }
  if (job.isolated === false) throw conflict('pipelines-terminal-not-isolated', agent)
  if (!job.online) throw conflict('pipelines-terminal-agent-offline', agent)
  // a step that the product itself runs has secrets that it hides from scripts
  if (state === 'building' && (job.step === null || job.stepType !== 'script'))
    throw conflict('pipelines-terminal-no-script')
  const title = [`${pipeline.projectName} #${number}`, jobTitle(job)].filter((part) => part !== '').join(' / ')
  const step =
    state === 'building' && job.step !== null && job.stepName !== null ? { index: job.step, name: job.stepName } : null
  return { agentId, agentName, jobId: job.jobId, attempt: job.attempt, step, title }
}

/** Notes what the audit log says: its row is written when the terminal closes, with how long it was open. */
export const noteTarget = (ctx: Ctx, { title, step, attempt, agentName }: Target): void =>
  note(ctx, { object: title, after: { attempt, step: step?.name ?? null, agent: agentName } })

/** Stores a request that the agent gets with its next claim, on any replica; returns the terminal's id. */
export const ask = (ctx: Ctx, { step, ...target }: Target): Promise<string> =>
  inTx(ctx, async (ctx) => {
    queued.wakeAfterCommit(ctx)
    return requestTerminal(ctx.db, { ...target, step: step?.index ?? null })
  })

/** The terminals that an agent is to open, each once. If one cannot be made, its user sees a silent agent. */
export async function takeTerminals(ctx: Ctx, agentId: number): Promise<AskedTerminal[]> {
  const requests = (await takeRequests(ctx.db, agentId)).filter(({ awaited }) => awaited)
  const made = requests.map((one) =>
    describe(ctx, one).catch((error: unknown) => {
      ctx.log.error({ err: error, jobId: one.jobId }, 'a terminal could not be told to its agent')
      return []
    }),
  )
  return (await Promise.all(made)).flat()
}

type TerminalOf = Pick<AskedTerminal, 'id' | 'jobId' | 'attempt' | 'step'>

async function describe(ctx: Ctx, request: TerminalOf): Promise<AskedTerminal[]> {
  const work = await workOfJob(ctx, request.jobId)
  const { environment, masked, workspace, stages, firstStep, executor, image, services } = work
  const running = request.step !== null
  const step = stages.flatMap(({ steps }) => steps)[(request.step ?? -1) - firstStep]
  const isSecret = (value: string): boolean => masked.some((secret) => value.includes(secret))
  // secrets are only for steps that use them, while they run
  const plain = environment.flatMap(({ name, value, steps }) =>
    steps === undefined && !isSecret(value) ? [{ name, value }] : [],
  )
  return [
    {
      ...request,
      masked,
      workspace: running ? null : workspace,
      shell: step?.type === 'script' ? step.shell : 'sh',
      environment: running ? [] : plain,
      container: running || executor !== 'container' ? undefined : { image, services },
      seconds: ctx.config.buildTerminalSeconds,
    },
  ]
}
