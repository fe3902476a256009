import type { BuildEvent } from '@gantry/contract/notifications/build-event'
import { type ChatKind, isChat } from '@gantry/contract/webhooks/chat'
import { deliveriesTopic } from '@gantry/contract/webhooks/topics'
import { z } from 'zod'
import type { Ctx, Lang } from '../../kernel/context.ts'
import { publish } from '../../kernel/events/events.ts'
import { Fault } from '../../kernel/fault.ts'
import { enqueue } from '../../kernel/jobs/jobs.ts'
import type { Queue } from '../../kernel/jobs/queue.ts'
import { reasonOf, sayReason } from '../../kernel/phrase.ts'
import { open } from '../../kernel/secrets/secrets.ts'
import { publicUrl } from '../settings/public.ts'
import { type ChatMessage, chatProblem, chatRequest } from './chat.ts'
import {
  type DueDelivery,
  endDelivery,
  insertDeliveries,
  insertForChannel,
  listeners,
  type Outcome,
  postpone,
  takeDue,
} from './deliveries.store.ts'
import { openChat } from './receiver.ts'
import { signed } from './signature.ts'

/** Woken by each written delivery. */
export const deliver: Queue = { name: 'webhooks-deliver', schema: z.object({}), timeoutSeconds: 600 }

export const wakeDeliveries = (ctx: Ctx): Promise<void> => enqueue(ctx, deliver, {}, { key: 'now' })

/**
 * Notifies the webhooks of a team, in the transaction of what it reports: it is sent exactly if that commits. `content`
 * is computed only if there is a webhook for the event.
 */
export async function tellWebhooks(
  ctx: Ctx,
  teamId: number,
  event: BuildEvent,
  content: () => Promise<object>,
): Promise<void> {
  const ids = await listeners(ctx.db, teamId, event)
  if (ids.length === 0) return
  await insertDeliveries(ctx.db, ids, event, JSON.stringify({ event, ...(await content()) }))
  await wakeDeliveries(ctx)
}

/** Sends a test message to a webhook. */
export async function tellTest(ctx: Ctx, { id, name, language }: { id: number; name: string; language: Lang }) {
  const text = sayReason(language, { key: 'webhooks-told-test', vars: { name, by: ctx.actor.name } })
  await insertDeliveries(ctx.db, [id], 'test', JSON.stringify({ event: 'test', text, url: await publicUrl(ctx) }))
  await wakeDeliveries(ctx)
}

/** Sends an alarm to one channel, in the transaction of what it reports. */
export async function tellAlarmChannel(ctx: Ctx, channelId: number, event: string, content: object): Promise<void> {
  await insertForChannel(ctx.db, channelId, event, JSON.stringify({ event, ...content }))
  await wakeDeliveries(ctx)
}

const Content = z.object({
  text: z.string().optional(),
  url: z.string().optional(),
  build: z.object({ number: z.number(), url: z.string() }).optional(),
  pipeline: z.object({ name: z.string() }).optional(),
})

/** The message for a chat, from the data that programs get. */
function messageOf({ event, body, language }: DueDelivery): ChatMessage {
  const { text, url, build, pipeline } = Content.parse(JSON.parse(body))
  const key = `notifications-build-${event.slice('build.'.length)}`
  const vars = { pipeline: pipeline?.name ?? '', number: build?.number ?? 0 }
  return { text: text ?? sayReason(language, { key, vars }), link: url ?? build?.url ?? '' }
}

async function sendToChat(ctx: Ctx, kind: ChatKind, delivery: DueDelivery): Promise<Outcome> {
  const { url, body } = chatRequest(kind, openChat(ctx, delivery.secret), messageOf(delivery), new Date())
  const { status, text } = await ctx.ports.outbound.requestText({
    method: 'POST',
    url,
    body: JSON.stringify(body),
    redirect: 'manual',
    timeout: 15_000,
    maxBytes: 16_384,
    headers: { 'content-type': 'application/json' },
    signal: ctx.signal,
  })
  return { status, problem: chatProblem(kind, status, text) }
}

/** Only the status of the answer is kept, because it may be a page that only the platform can reach. */
async function sendSigned(ctx: Ctx, { url, secret, uuid, event, body }: DueDelivery): Promise<Outcome> {
  const answer = await ctx.ports.outbound.request({
    method: 'POST',
    url,
    body,
    redirect: 'manual',
    timeout: 15_000,
    headers: {
      'content-type': 'application/json',
      'webhook-event': event,
      ...signed(open(ctx, secret), uuid, body, new Date()),
    },
    signal: ctx.signal,
  })
  answer.body.destroy()
  const { status } = answer
  const good = status >= 200 && status <= 299
  return { status, problem: good ? null : { key: 'webhooks-status', vars: { status } } }
}

async function send(ctx: Ctx, delivery: DueDelivery): Promise<Outcome> {
  try {
    return isChat(delivery.kind) ? await sendToChat(ctx, delivery.kind, delivery) : await sendSigned(ctx, delivery)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { status: null, problem: reasonOf(error) }
  }
}

async function tryOne(ctx: Ctx, delivery: DueDelivery): Promise<void> {
  const disabled: Outcome = { status: null, problem: { key: 'webhooks-disabled', vars: {} } }
  const result = delivery.enabled ? await send(ctx, delivery) : disabled
  if (!delivery.enabled) await endDelivery(ctx.db, delivery.id, 'failed', result)
  else if (result.problem === null) await endDelivery(ctx.db, delivery.id, 'sent', result)
  else if (delivery.last) await endDelivery(ctx.db, delivery.id, 'failed', result)
  else await postpone(ctx.db, delivery.id, result)
  await publish(ctx, deliveriesTopic, {})
}

/** Webhooks that are called concurrently, so that a slow one hardly delays the others. */
const atOnce = 8

/** Sends all due deliveries. An attempt that is cut off is due again after its lease. */
export async function deliverDue(ctx: Ctx): Promise<void> {
  const next = () => (ctx.signal.aborted ? undefined : takeDue(ctx.db))
  const work = async (first?: DueDelivery): Promise<void> => {
    for (let delivery = first ?? (await next()); delivery; delivery = await next()) {
      const { id } = delivery
      await tryOne(ctx, delivery).catch((error: unknown) => {
        if (!ctx.signal.aborted) ctx.log.error({ err: error, delivery: id }, 'a webhook could not be called')
      })
    }
  }
  // if nothing is due, one query shows that
  const first = await next()
  if (first) await Promise.all(Array.from({ length: atOnce }, (_, at) => work(at === 0 ? first : undefined)))
}
