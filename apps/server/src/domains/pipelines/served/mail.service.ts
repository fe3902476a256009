import type { Step } from '@gantry/contract/pipelines/definition'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { sayReason } from '../../../kernel/phrase.ts'
import { ownMails, sendOwnMail } from '../../settings/public.ts'
import { addressesOf, mailedBuild } from './mail.store.ts'
import type { Done, StepOfBuild } from './answer.ts'

/**
 * Sends a step's email once to each recipient, and waits until the mail server has accepted it, for up to a minute;
 * after that only the outbox goes on.
 */
export async function sendMails(
  ctx: Ctx,
  { buildId, teamId, index, attempt }: StepOfBuild,
  step: Extract<Step, { type: 'mail' }>,
  texts: Record<string, string>,
): Promise<Done> {
  const addresses = await addressesOf(ctx.db, teamId, step.to)
  const names = step.to.filter((name) => !name.includes('@') && !addresses.has(name))
  if (names.length > 0) throw new Fault('invalid', 'pipelines-mail-unknown', { names: names.join(', ') })
  const recipients = [...new Set(step.to.map((name) => addresses.get(name) ?? name))]
  const { path, ...from } = await mailedBuild(ctx.db, buildId)
  const key = `step ${buildId} ${index} ${attempt}`
  const { subject = step.subject, text = step.text } = texts
  const sent = await inTx(ctx, (ctx) => sendOwnMail(ctx, { recipients, subject, text, from, path, key }))
  if (!sent) throw new Fault('conflict', 'pipelines-mail-off')
  const mails = await ownMails(ctx, key)
  const failed = mails.find(({ state }) => state === 'failed')
  const log = mails
    .filter(({ state }) => state !== 'waiting')
    .map(({ recipient, state, problem }) =>
      state === 'sent' ? `Sent to ${recipient}` : `Not sent to ${recipient}: ${sayReason('en', problem)}`,
    )
  const waiting = mails.filter(({ state }) => state === 'waiting')
  if (waiting.some(({ old }) => !old)) return { state: 'running', log, reason: null, outputs: {} }
  for (const { recipient, problem } of waiting)
    log.push(`Still to be sent to ${recipient}, tried for a day: ${sayReason('en', problem)}`)
  if (failed) return { state: 'failed', log, reason: reasonOf(failed.problem), outputs: {} }
  return { state: 'success', log, reason: null, outputs: {} }
}

const reasonOf = (problem: unknown): Done['reason'] => {
  const { key, vars } = (problem ?? {}) as { key?: string; vars?: Record<string, string | number> }
  return key === undefined ? null : { key, vars: vars ?? {} }
}
