import type { BlueprintStep, HelmStep } from '@gantry/contract/pipelines/steps/releases'
import type { HttpStep, MailStep, PipelineStep } from '@gantry/contract/pipelines/steps/served'
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { filled } from '../outputs.ts'
import { reason, StepFailure } from '../reasons.ts'
import { success, type StepContext, type StepResult } from './step.ts'

type Served = z.output<typeof HttpStep | typeof PipelineStep | typeof MailStep | typeof HelmStep | typeof BlueprintStep>

const pollMs = 1000

/** The server does the work; the agent fills in what only the job knows, and logs the progress. */
export async function runServed(ctx: StepContext<Served>): Promise<StepResult> {
  const { work, index, signal } = ctx
  // the server reads the outputs that were reported to it
  await ctx.reported()
  const body = bodyOf(ctx)
  let last = ''
  for (;;) {
    const answer = await ctx.client.call(
      'serve',
      { params: { jobId: work.jobId, step: index }, query: { attempt: work.attempt }, body },
      { signal },
    )
    ctx.onAnswer(answer)
    for (const line of answer.log) {
      if (line !== last) ctx.say(line)
      last = line
    }
    if (Object.keys(answer.outputs).length > 0) ctx.report({ type: 'output', step: index, values: answer.outputs })
    if (answer.state === 'success') return success
    if (answer.state === 'failed')
      return { state: 'failed', reason: answer.reason ?? reason('agents-deploy-refused', { text: '' }) }
    await sleep(pollMs, undefined, { signal })
  }
}

/** The request with the texts. For a blueprint, whose inputs every reader sees, also names those with secrets. */
function bodyOf(ctx: StepContext<Served>) {
  const texts = textsOf(ctx)
  if (ctx.step.type !== 'blueprint') return { texts }
  return { texts, masked: Object.keys(texts).filter((name) => ctx.mask(texts[name] ?? '') !== texts[name]) }
}

/** The step's texts by their paths, with outputs and variables filled in. */
function textsOf({ step, work, outputs, mask }: StepContext<Served>): Record<string, string> {
  const variables = new Map(
    work.environment
      .filter(({ steps }) => steps?.includes(step.name) ?? true)
      .map(({ name, value }): [string, string] => [name, value]),
  )
  // in one pass, so that an output's value is never expanded as a variable
  const whole = (text: string): string =>
    text.replaceAll(/\$\{outputs\.[^{}]+\}|\$\{variables\.([A-Za-z_][A-Za-z0-9_.-]*)\}/g, (named, variable?: string) =>
      variable === undefined ? filled(named, outputs) : (variables.get(variable) ?? ''),
    )
  if (step.type === 'pipeline')
    return Object.fromEntries(Object.entries(step.parameters).map(([name, value]) => [name, filled(value, outputs)]))
  if (step.type === 'helm') return { values: whole(step.values) }
  if (step.type === 'blueprint')
    return Object.fromEntries(Object.entries(step.inputs).map(([name, value]) => [name, whole(value)]))
  if (step.type === 'mail') {
    const texts = { subject: whole(step.subject), text: whole(step.text) }
    // a mail leaves the installation and cannot be taken back
    for (const text of Object.values(texts)) if (mask(text) !== text) throw new StepFailure('agents-mail-secret')
    return texts
  }
  return Object.fromEntries([
    ['url', whole(step.url)],
    ['body', whole(step.body)],
    ...step.headers.map(({ value }, at) => [`headers.${at}`, whole(value)]),
  ])
}
