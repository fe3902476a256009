import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { secret } from '../secret.ts'
import { displayName, httpUrl, mailAddress } from '../validators.ts'
import { ChatKind, isChat } from '../webhooks/chat.ts'
import { alarmsTopic } from './topics.ts'

export const ChannelKind = z.enum(['mail', 'webhook', 'push', ...ChatKind.options])
export type ChannelKind = z.infer<typeof ChannelKind>

/** Whether messages of this kind are sent to a URL. */
export const hasAddress = (kind: ChannelKind): boolean => kind === 'webhook' || isChat(kind)

const fields = {
  name: displayName(15, 'alarms-channel-name-too-long'),
  kind: ChannelKind,
  /** For mail: addresses in addition to the users. */
  addresses: z.array(mailAddress).max(50, 'list-too-long').default([]),
  /** Members of the team; a user who may not see its alarms, or has left it, is not notified. */
  users: z.array(id).max(100, 'list-too-long').default([]),
  /** All members who may see alarms. */
  members: z.boolean().default(false),
  url: httpUrl.or(z.literal('')).default(''),
  /** Signs requests to a webhook. Reads return a mask; saving it keeps the secret while the address is unchanged. */
  secret: secret(z.string().max(200, 'text-too-long')).default(''),
  /** For addresses and programs; a user is notified in the user's own language. */
  language: z.enum(['en', 'zh']).default('en'),
}

export const AlarmChannelInput = z
  .strictObject({
    /** The channel to change; absent: a new one. */
    id: id.optional(),
    revision: z.number().int().optional(),
    ...fields,
  })
  .refine(({ kind, addresses, users, members }) => kind !== 'mail' || members || addresses.length + users.length > 0, {
    message: 'alarms-channel-nobody',
    path: ['addresses'],
  })
  .refine(({ kind, users, members }) => kind !== 'push' || members || users.length > 0, {
    message: 'alarms-channel-nobody',
    path: ['users'],
  })
  .refine(({ kind, url }) => !hasAddress(kind) || url !== '', { message: 'field-required', path: ['url'] })
  .refine(({ kind, secret: given }) => kind !== 'webhook' || given !== '', {
    message: 'webhook-secret-short',
    path: ['secret'],
  })
export type AlarmChannelInput = z.infer<typeof AlarmChannelInput>

export const AlarmChannel = z.object({
  ...fields,
  id: z.number().int(),
  /** The number of rules that use it. */
  used: z.number().int(),
  /** The outcome of the newest message to a webhook. */
  last: z.object({ state: z.enum(['waiting', 'sent', 'failed']), at: z.string(), problem: z.string() }).nullable(),
  revision: z.number().int(),
  updatedAt: z.string(),
})
export type AlarmChannel = z.infer<typeof AlarmChannel>

const path = '/monitor-api/v2/tenants/:team_id/notifications'
const one = z.strictObject({ team_id: id, ID: id })
const topics = [alarmsTopic] as const

export const alarmChannels = {
  list: endpoint({
    method: 'GET',
    path: '/monitor-api/v1/notifications/:id',
    access: { team: 'id', permission: 'monitor_alarm_view' },
    summary: 'How a team is told of its alarms; secrets are masked',
    params: z.strictObject({ id }),
    query: listQuery({ pageSize: 10 }),
    data: listOf(AlarmChannel),
    topics,
  }),
  save: endpoint({
    method: 'POST',
    path,
    access: { team: 'team_id', permission: 'monitor_alarm_edit' },
    audit: 'alarm-channel.save',
    summary:
      'Create a way to be told; with `id`, change that one. Addresses that the platform may not reach are refused',
    params: z.strictObject({ team_id: id }),
    body: AlarmChannelInput,
    data: AlarmChannel,
    topics,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/:ID`,
    access: { team: 'team_id', permission: 'monitor_alarm_delete' },
    audit: 'alarm-channel.delete',
    summary: 'Delete a way to be told; refused while a rule that is switched on uses it',
    params: one,
    data: z.null(),
    topics,
  }),
  /** Not in the specification. */
  test: endpoint({
    method: 'POST',
    path: `${path}/:ID/test`,
    access: { team: 'team_id', permission: 'monitor_alarm_operate' },
    audit: 'alarm-channel.test',
    summary: 'Send a test message the way that an alarm goes',
    params: one,
    data: z.object({ told: z.number().int() }),
    topics,
  }),
}
