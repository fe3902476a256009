import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { displayName, globs } from '../validators.ts'
import { BuildEvent } from './build-event.ts'
import { pipelinesTopic } from '../pipelines/topics.ts'

export const Channel = z.enum(['bell', 'mail'])
export type Channel = z.infer<typeof Channel>

const people = z.array(id).max(100, 'list-too-long').default([])

const shape = {
  name: displayName(60),
  enabled: z.boolean().default(true),
  events: z.array(BuildEvent).min(1, 'list-empty').max(BuildEvent.options.length, 'list-too-long'),
  /** Builds of one group or of one pipeline; both null: of all pipelines of the team. */
  groupId: id.nullable().default(null),
  pipelineId: id.nullable().default(null),
  /** Branches and tags; empty: all. */
  branches: globs,
  /** The channels of the notification. */
  channels: z.array(Channel).max(Channel.options.length, 'list-too-long'),
  /** Notify the user who triggered the build. */
  triggerer: z.boolean().default(false),
  /** Notify everyone who may decide about a waiting build. */
  deciders: z.boolean().default(false),
  /** Members of the team. */
  users: people,
  /** Roles of the team: their holders at the time of the event. */
  roles: people,
  /** Notification methods of the team that are a chat or a program. */
  methods: people,
}

type Receivers = Pick<z.output<z.ZodObject<typeof shape>>, 'triggerer' | 'deciders' | 'users' | 'roles'>
const tellsPeople = ({ triggerer, deciders, users, roles }: Receivers): boolean =>
  triggerer || deciders || users.length + roles.length > 0

export const RuleInput = z
  .strictObject(shape)
  .refine(({ groupId, pipelineId }) => groupId === null || pipelineId === null, {
    message: 'notification-rule-one-scope',
    path: ['pipelineId'],
  })
  .refine((rule) => tellsPeople(rule) || rule.methods.length > 0, {
    message: 'notification-rule-nobody',
    path: ['users'],
  })
  .refine((rule) => !tellsPeople(rule) || rule.channels.length > 0, { message: 'list-empty', path: ['channels'] })
export type RuleInput = z.infer<typeof RuleInput>

export const NotificationRule = z.object({
  ...shape,
  id: z.number().int(),
  teamId: z.number().int(),
  /** The name of the group or the pipeline; empty: all pipelines. */
  scopeName: z.string(),
  revision: z.number().int(),
  updatedAt: z.string(),
})
export type NotificationRule = z.infer<typeof NotificationRule>

const path = '/api/teams/:teamId/notification-rules'
const inTeam = z.strictObject({ teamId: id })
const one = inTeam.extend({ ruleId: id })
const view = { team: 'teamId', permission: 'pipeline_pipeline_view' }
const edit = { team: 'teamId', permission: 'pipeline_pipeline_edit' }

/** Not in the specification: which members and chats of a team are notified of build events, and how. */
export const notificationRules = {
  list: endpoint({
    method: 'GET',
    path,
    access: view,
    summary: 'The rules by which members and chats of a team are told of builds',
    params: inTeam,
    query: listQuery({ pageSize: 10 }),
    data: listOf(NotificationRule),
    topics: [pipelinesTopic],
  }),
  create: endpoint({
    method: 'POST',
    path,
    access: edit,
    audit: 'notification-rule.create',
    summary: 'Tell members of a team of builds, in the bell or by email, or its chats and programs',
    params: inTeam,
    body: RuleInput,
    data: NotificationRule,
    topics: [pipelinesTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: `${path}/:ruleId`,
    access: edit,
    audit: 'notification-rule.update',
    summary: 'Change a rule; refused when someone else saved since `revision`',
    params: one,
    query: z.strictObject({ revision: z.coerce.number().int().optional() }),
    body: RuleInput,
    data: NotificationRule,
    topics: [pipelinesTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/:ruleId`,
    access: edit,
    audit: 'notification-rule.delete',
    summary: 'Delete a rule',
    params: one,
    data: z.null(),
    topics: [pipelinesTopic],
  }),
}
