import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { BuildEvent } from '../notifications/build-event.ts'
import { listOf, listQuery } from '../paging.ts'
import { secret } from '../secret.ts'
import { displayName, httpUrl } from '../validators.ts'
import { settingsTopic } from '../settings/topics.ts'
import { ChatKind } from './chat.ts'
import { deliveriesTopic } from './topics.ts'

export const WebhookKind = z.enum(['signed', ...ChatKind.options])
export type WebhookKind = z.infer<typeof WebhookKind>

const fields = z.strictObject({
  name: displayName(60),
  /** The receiver: a program, by a signed message, or a group in a chat. */
  kind: WebhookKind.default('signed'),
  /** The URL of a chat is a secret: reads return its host and a mask; saving that keeps it. */
  url: httpUrl,
  /** Signs the messages. Reads return a mask; saving the mask keeps the secret while the address is unchanged. */
  secret: secret(z.string().max(200, 'text-too-long')).default(''),
  /** The language of messages to a chat. */
  language: z.enum(['en', 'zh']).default('en'),
  enabled: z.boolean().default(true),
  /** The team whose builds it reports; null: all teams. */
  teamId: id.nullable().default(null),
  events: z.array(BuildEvent).min(1, 'list-empty').max(BuildEvent.options.length, 'list-too-long'),
})

type Signed = Pick<z.infer<typeof fields>, 'kind' | 'secret'>
const hasSecret = ({ kind, secret: given }: Signed): boolean => kind !== 'signed' || given !== ''
const secretMissing = { message: 'webhook-secret-short', path: ['secret'] }

export const WebhookInput = fields.refine(hasSecret, secretMissing)
export type WebhookInput = z.infer<typeof WebhookInput>

export const Delivery = z.object({
  id: z.number().int(),
  /** The header `webhook-id`: the same in each attempt, so that receivers recognize repetitions. */
  uuid: z.string(),
  event: z.enum([...BuildEvent.options, 'test']),
  state: z.enum(['waiting', 'sent', 'failed']),
  attempts: z.number().int(),
  /** HTTP status of the last answer; null if there was none. */
  status: z.number().int().nullable(),
  /** Why the last attempt failed, in the caller's language. */
  problem: z.string(),
  createdAt: z.string(),
  /** When it is tried again; null once it has ended. */
  nextAt: z.string().nullable(),
  /** The message. */
  body: z.string(),
})
export type Delivery = z.infer<typeof Delivery>

export const Webhook = fields.extend({
  id: z.number().int(),
  teamName: z.string(),
  revision: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** The state of the newest delivery. */
  last: Delivery.pick({ state: true, createdAt: true }).nullable(),
})
export type Webhook = z.infer<typeof Webhook>

const one = z.strictObject({ id })
const path = '/api/webhook/pipelineconfig'

export const webhooks = {
  list: endpoint({
    method: 'GET',
    path,
    access: 'admin',
    summary: 'Webhooks that are told of builds',
    query: listQuery({ pageSize: 10 }),
    data: listOf(Webhook),
    topics: [settingsTopic, deliveriesTopic],
  }),
  create: endpoint({
    method: 'POST',
    path,
    access: 'admin',
    audit: 'webhook.create',
    summary: 'Create a webhook; addresses that the platform may not reach are refused',
    body: WebhookInput,
    data: Webhook,
    topics: [settingsTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: `${path}/:id`,
    access: 'admin',
    summary: 'One webhook; its secret is masked',
    params: one,
    data: Webhook,
    topics: [settingsTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access: 'admin',
    audit: 'webhook.update',
    summary: 'Change a webhook; with another address its secret is needed again',
    params: one,
    body: fields.extend({ revision: z.number().int().optional() }).refine(hasSecret, secretMissing),
    data: Webhook,
    topics: [settingsTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    access: 'admin',
    audit: 'webhook.delete',
    summary: 'Delete a webhook with its deliveries',
    params: one,
    data: z.null(),
    topics: [settingsTopic],
  }),
  /** Not in the specification, like the next call. */
  deliveries: endpoint({
    method: 'GET',
    path: `${path}/:id/deliveries`,
    access: 'admin',
    summary: 'What a webhook was told within 30 days, newest first',
    params: one,
    query: listQuery({ pageSize: 10 }).extend({
      state: z.enum(['all', ...Delivery.shape.state.options]).optional(),
    }),
    data: listOf(Delivery),
    topics: [deliveriesTopic],
  }),
  test: endpoint({
    method: 'POST',
    path: `${path}/:id/test`,
    access: 'admin',
    audit: 'webhook.test',
    summary: 'Send a message that says only that it is a test',
    params: one,
    data: z.null(),
    topics: [deliveriesTopic],
  }),
  redeliver: endpoint({
    method: 'POST',
    path: `${path}/:id/deliveries/:deliveryId/redeliver`,
    access: 'admin',
    audit: 'webhook.redeliver',
    summary: 'Send a delivery again',
    params: z.strictObject({ id, deliveryId: id }),
    data: z.null(),
    topics: [deliveriesTopic],
  }),
}
