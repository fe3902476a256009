import type { DeployStep } from '@gantry/contract/pipelines/definition'
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { reason } from '../reasons.ts'
import { success, type StepContext, type StepResult } from './step.ts'

const pollMs = 1000

/** The server does the work; the agent polls its progress and writes it to the step's log. */
export async function runDeploy(ctx: StepContext<z.output<typeof DeployStep>>): Promise<StepResult> {
  // the server deploys an image that was reported to it, and that report may still be on its way
  await ctx.reported()
  let last = ''
  for (;;) {
    const answer = await ctx.client.call(
      'deploy',
      { params: { jobId: ctx.work.jobId, step: ctx.index }, query: { attempt: ctx.work.attempt } },
      { signal: ctx.signal },
    )
    ctx.onAnswer(answer)
    for (const line of answer.log) {
      if (line !== last) ctx.say(line)
      last = line
    }
    if (answer.state === 'success') return success
    if (answer.state === 'failed')
      return { state: 'failed', reason: answer.reason ?? reason('agents-deploy-refused', { text: '' }) }
    await sleep(pollMs, undefined, { signal: ctx.signal })
  }
}
