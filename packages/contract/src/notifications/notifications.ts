import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { listOf, listQuery } from '../paging.ts'
import { notificationsTopic } from './topics.ts'

/** Screens to which notifications link, by their route names. */
export const TargetRoute = z.enum([
  'cd-build-info',
  'cd-batch-history',
  'containers',
  'stack',
  'cluster-host',
  'monitorRule',
])
export type TargetRoute = z.infer<typeof TargetRoute>

/** The link of a notification: a screen and its path parameters. */
export const Target = z.object({
  route: TargetRoute,
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type Target = z.infer<typeof Target>

export const Tone = z.enum(['ok', 'bad', 'warn', 'info'])
export type Tone = z.infer<typeof Tone>

export const Notification = z.object({
  id: z.number().int(),
  /** The subject: build, service, host, or an error that the console displayed. */
  kind: z.string(),
  tone: Tone,
  /** In the caller's language. */
  text: z.string(),
  /** Null: it belongs to no team. */
  teamId: z.number().int().nullable(),
  teamName: z.string(),
  target: Target.nullable(),
  createdAt: z.string(),
  read: z.boolean(),
})
export type Notification = z.infer<typeof Notification>

const id = z.number().int().min(1, 'id-invalid').max(Number.MAX_SAFE_INTEGER, 'id-invalid')

/** The number of newest notifications kept for each user. */
export const keptNotifications = 200

export const notifications = {
  list: endpoint({
    method: 'GET',
    path: '/api/notifications',
    access: 'user',
    summary: 'What finished or failed for the caller, newest first, and how much of it is unread',
    query: listQuery({ pageSize: 20 }).omit({ keyword: true, sort: true }),
    data: listOf(Notification).extend({ unread: z.number().int() }),
    topics: [notificationsTopic],
  }),
  markRead: endpoint({
    method: 'PUT',
    path: '/api/notifications/read',
    access: 'user',
    audit: 'notification.read',
    summary: 'Mark notifications as read: these, or all',
    body: z.strictObject({ ids: z.array(id).min(1, 'list-empty').max(1000, 'list-too-long').optional() }),
    data: z.null(),
    topics: [notificationsTopic],
  }),
  keepError: endpoint({
    method: 'POST',
    path: '/api/notifications',
    access: 'user',
    audit: 'notification.keep-error',
    summary: 'Keep an error that the console showed, to read it again later',
    body: z.strictObject({ text: z.string().min(1, 'field-required').max(1000, 'notifications-error-too-long') }),
    data: z.null(),
    topics: [notificationsTopic],
  }),
}
