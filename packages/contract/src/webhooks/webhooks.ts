import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { BuildEvent } from '../notifications/build-event.ts'
import { listOf, listQuery } from '../paging.ts'
import { secret } from '../secret.ts'
import { displayName, httpUrl } from '../validators.ts'
import { settingsTopic } from '../settings/topics.ts'

export const WebhookInput = z.strictObject({
  name: displayName(60),
  url: httpUrl,
  /** Signs what is sent. Reads return a mask; saving the mask keeps it while the address is unchanged. */
  secret: secret(z.string().min(1, 'webhook-secret-short').max(200, 'text-too-long')),
  enabled: z.boolean().default(true),
  /** Of which team's builds it is told; null: of all. */
  teamId: id.nullable().default(null),
  events: z.array(BuildEvent).min(1, 'list-empty').max(BuildEvent.options.length, 'list-too-long'),
})
export type WebhookInput = z.infer<typeof WebhookInput>

export const Delivery = z.object({
  id: z.number().int(),
  /** The header `webhook-id`: the same in each try, so that receivers tell repetitions. */
  uuid: z.string(),
  event: BuildEvent,
  state: z.enum(['waiting', 'sent', 'failed']),
  attempts: z.number().int(),
  /** Of the last answer; null where there was none. */
  status: z.number().int().nullable(),
  /** Why the last try failed, in the caller's language. */
  problem: z.string(),
  createdAt: z.string(),
  /** When it is tried again; null once it has ended. */
  nextAt: z.string().nullable(),
  /** What is sent. */
  body: z.string(),
})
export type Delivery = z.infer<typeof Delivery>

export const Webhook = WebhookInput.extend({
  id: z.number().int(),
  teamName: z.string(),
  revision: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** What became of the newest delivery. */
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
    topics: [settingsTopic],
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
    body: WebhookInput.extend({ revision: z.number().int().optional() }),
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
  /** Ours, like the next. */
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
    topics: [settingsTopic],
  }),
  redeliver: endpoint({
    method: 'POST',
    path: `${path}/:id/deliveries/:deliveryId/redeliver`,
    access: 'admin',
    audit: 'webhook.redeliver',
    summary: 'Send a delivery again',
    params: z.strictObject({ id, deliveryId: id }),
    data: z.null(),
    topics: [settingsTopic],
  }),
}
