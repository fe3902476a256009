import { setTimeout as sleep } from 'node:timers/promises'
import type { ScriptStep } from '@gantry/contract/pipelines/definition'
import type { z } from 'zod'
import type { Command, Ended } from '../executors/executor.ts'
import { environmentOf, filled } from '../outputs.ts'
import type { Work } from '../protocol.ts'
import { reason } from '../reasons.ts'
import { Stop } from '../stop.ts'
import { checkedOut } from '../workspace/workspace.ts'
import type { StepContext, StepResult } from './step.ts'

/** Milliseconds between asking processes to end and killing them. */
const graceMs = 5000

type Script = z.output<typeof ScriptStep>

export async function runScript(ctx: StepContext<Script>): Promise<StepResult> {
  const { step, work } = ctx
  const source = await checkedOut(ctx.room)
  const ended = await runCommand(ctx, {
    shell: step.shell,
    script: step.run,
    ...containerOf(work),
    environment: [
      ...work.environment.filter(({ steps }) => steps?.includes(step.name) ?? true),
      ...(source === undefined ? [] : [{ name: 'GANTRY_COMMIT', value: source.commit }]),
      ...environmentOf(ctx.outputs),
      ...step.environment.map(({ name, value }) => ({ name, value: filled(value, ctx.outputs) })),
    ],
  })
  if (ended.how !== 'exit') return endedOtherwise(ctx, ended)
  const { code } = ended
  if (code === 0) return { state: 'success', exitCode: 0 }
  // a shell's code 128 + n means that signal n ended a command
  const signal = code > 128 && code < 128 + 65 ? code - 128 : 0
  return {
    state: 'failed',
    exitCode: code,
    reason: signal === 9 ? reason('agents-script-killed', { code }) : reason('agents-script-failed', { code }),
  }
}

/** The container for users' commands; the product's own, such as git, do not run in their image. */
export const containerOf = ({ executor, image, services }: Work): Pick<Command, 'container'> =>
  executor === 'container' || executor === 'kubernetes' ? { container: { image, services } } : {}

/** Also logs the reason, because people look there first. */
export function endedOtherwise(ctx: StepContext, ended: Exclude<Ended, { how: 'exit' }>): StepResult {
  if (ended.how === 'lost') return { state: 'failed', reason: reason('agents-step-lost') }
  const { limit, most } = ended
  const what = { memory: `memory: ${most}`, processes: `processes: ${most}`, disk: `disk: ${most}` }[limit]
  ctx.say(`This step was ended: the build met its limit of ${what}.`)
  return { state: 'failed', reason: reason(`agents-limit-${limit}`, { limit: most }) }
}

/** Runs or adopts one command of a step; if the step has to end, ends its processes and throws the signal's reason. */
export async function runCommand(
  ctx: Pick<StepContext, 'executor' | 'room' | 'index' | 'signal' | 'adopted'> & Partial<Pick<StepContext, 'say'>>,
  command: Omit<Command, 'step'>,
): Promise<Ended> {
  const { executor, room, index, signal } = ctx
  signal.throwIfAborted()
  const adopted = ctx.adopted ? await executor.adopt(room, index) : undefined
  const running =
    adopted ?? (await executor.start(room, { ...command, step: index }, { signal, say: ctx.say ?? (() => {}) }))
  const done = new AbortController()

  async function end(): Promise<void> {
    if (!(signal.reason instanceof Stop && signal.reason.why === 'drop')) {
      await executor.signal(running, 'TERM')
      await sleep(graceMs, undefined, { signal: done.signal }).catch(() => {})
    }
    if (!done.signal.aborted) await executor.signal(running, 'KILL')
  }

  let ending: Promise<void> | undefined
  const onAbort = (): void => {
    ending = end()
  }
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await executor.wait(running)
  } finally {
    done.abort()
    signal.removeEventListener('abort', onAbort)
    await ending
    signal.throwIfAborted()
  }
}
