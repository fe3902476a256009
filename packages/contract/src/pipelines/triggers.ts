import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { cronText, zoneName } from '../cron-validators.ts'
import { id, idOrUuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { dictionary, globs, refName } from '../validators.ts'
import { canMatch, pathPattern } from './path-pattern.ts'
import { Forge } from './repository-url.ts'
import { buildsTopic, triggersTopic } from './topics.ts'

export const ForgeEventKind = z.enum(['push', 'tag', 'mergeRequest'])
export type ForgeEventKind = z.infer<typeof ForgeEventKind>

/** Fires on events that a forge reports. Empty globs match everything. */
export const WebhookRule = z.strictObject({
  kind: z.literal('webhook'),
  events: z.array(ForgeEventKind).min(1, 'list-empty').max(3, 'list-too-long'),
  /** The pushed branch, or the target branch of a merge request. */
  branches: globs,
  tags: globs,
  /** Files that the commits of a push, or a merge request, changed. */
  paths: z.array(pathPattern.max(200, 'glob-too-long')).max(50, 'list-too-long').default([]),
  /** Whether merge requests from other repositories count, whose authors may be untrusted. */
  forks: z.boolean().default(false),
  /** Whether builds of forks wait until a user who may start builds approves them. */
  forksWait: z.boolean().default(true),
})

/** Fires at every time of a cron expression, in a time zone. */
export const ScheduleRule = z.strictObject({
  kind: z.literal('schedule'),
  cron: cronText,
  zone: zoneName,
  /** Empty: the branch in the pipeline's settings. */
  branch: z.union([z.literal(''), refName('branch')]).default(''),
})

/** Fires when a build of another pipeline of the team ends. */
export const AfterRule = z.strictObject({
  kind: z.literal('pipeline'),
  pipelineId: id,
  on: z.enum(['success', 'any']).default('success'),
})

export const TriggerRule = z.discriminatedUnion('kind', [WebhookRule, ScheduleRule, AfterRule])
export type TriggerRule = z.infer<typeof TriggerRule>
export type WebhookRule = z.infer<typeof WebhookRule>

/** Refuses rules that can never match; stored ones are still read. */
const SavedRule = TriggerRule.superRefine((rule, { addIssue }) => {
  if (rule.kind !== 'webhook') return
  for (const [at, pattern] of rule.paths.entries())
    if (!canMatch(pattern)) addIssue({ code: 'custom', message: 'glob-path-never', path: ['paths', at] })
})

/** The outcome of an event. `refused`: it matched, but the build could not start. */
export const TriggerOutcome = z.enum(['started', 'skipped', 'refused', 'duplicate'])
export type TriggerOutcome = z.infer<typeof TriggerOutcome>

export const TriggerEvent = z.object({
  id: z.number().int(),
  at: z.string(),
  /** The event: `push main`, `tag v1`, `schedule`, `build #7`. */
  event: z.string(),
  outcome: TriggerOutcome,
  /** Why it was skipped or refused, or a remark about the started build, in the caller's language. */
  message: z.string(),
  /** The build that started. */
  number: z.number().int().nullable(),
})
export type TriggerEvent = z.infer<typeof TriggerEvent>

const parameters = dictionary(z.string().max(253), z.string().max(4096, 'value-too-long'), 50)

export const Trigger = z.object({
  id: z.number().int(),
  enabled: z.boolean(),
  rule: TriggerRule,
  parameters: z.record(z.string(), z.string()),
  /** The user who saved it, with whose present permissions its builds run. */
  savedBy: z.string(),
  /** Why its builds would be refused at present, in the caller's language; empty if they would not. */
  problem: z.string(),
  /** The forge in which its webhook was created; null: none. */
  hook: Forge.nullable(),
  /** For an enabled schedule: the next time at which it fires. */
  nextAt: z.string().nullable(),
  /** The pipeline whose builds it follows. */
  follows: z.string(),
  last: TriggerEvent.nullable(),
  revision: z.number().int(),
  updatedAt: z.string(),
})
export type Trigger = z.infer<typeof Trigger>

const WithSecret = Trigger.extend({
  /** For a webhook: the secret for the forge's signatures. Only this answer contains it. */
  secret: z.string(),
})

const body = z.strictObject({
  enabled: z.boolean().default(true),
  rule: SavedRule,
  /** Values of the pipeline's parameters; omitted ones have their defaults. */
  parameters: parameters.default({}),
})

/** The fields of a build that a call by an API token may set. */
export const TriggerCall = z
  .strictObject({
    branch: z.union([z.literal(''), refName('branch')]).optional(),
    tag: refName('tag').optional(),
    commit: z
      .string()
      .regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'commit-invalid')
      .optional(),
    parameters: parameters.optional(),
    idempotencyKey: z.string().min(1).max(200).optional(),
  })
  .refine(({ branch, tag }) => !branch || !tag, { message: 'branch-or-tag', path: ['tag'] })

/** Maximum bytes of a forge's event; a push lists its commits. */
export const reportBytes = 5 * 1024 * 1024

const one = z.strictObject({ id: idOrUuid })
const two = z.strictObject({ id: idOrUuid, triggerId: id })
const view = { owner: 'pipeline', by: 'id', permission: 'pipeline_pipeline_view' } as const
/** Saving a trigger requires the permission to start builds. */
const edit = {
  owner: 'pipeline',
  by: 'id',
  permission: ['pipeline_pipeline_edit', 'pipeline_build_execute', 'pipeline_pipeline_view'],
} as const

export const triggers = {
  /** Public: authorized by the forge's signature, or by an API token with the permission to start builds. */
  receive: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:uuid/trigger',
    access: 'public',
    audit: 'build.trigger',
    summary:
      "Start a build by an API token (JSON: branch, tag, commit, parameters, idempotencyKey), or by a forge's webhook that the secret of one of the pipeline's triggers signs",
    params: z.strictObject({ uuid: idOrUuid }),
    upload: reportBytes,
    data: z.object({
      outcome: TriggerOutcome,
      number: z.number().int().nullable(),
      queueId: z.number().int().nullable(),
      message: z.string(),
    }),
    topics: [buildsTopic],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/triggers',
    access: view,
    summary: "A pipeline's triggers, with what came of their last occasion",
    params: one,
    data: z.array(Trigger),
    topics: [triggersTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:id/triggers',
    access: edit,
    audit: 'pipeline-trigger.create',
    summary: 'Add a trigger, whose builds run for the caller; the secret of a webhook is answered once',
    params: one,
    body,
    data: WithSecret,
    topics: [triggersTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/v2/pipelines/:id/triggers/:triggerId',
    access: edit,
    audit: 'pipeline-trigger.update',
    summary: 'Change a trigger, whose builds run for the caller from now on; its kind stays',
    params: two,
    body: body.extend({ revision: z.number().int().optional() }),
    data: Trigger,
    topics: [triggersTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v2/pipelines/:id/triggers/:triggerId',
    access: edit,
    audit: 'pipeline-trigger.delete',
    summary: 'Delete a trigger, and its webhook at the forge where that was set up by the product',
    params: two,
    data: z.object({
      /** Whether the forge's webhook was deleted; null if there was none. */
      hookRemoved: z.boolean().nullable(),
    }),
    topics: [triggersTopic],
  }),
  renewSecret: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:id/triggers/:triggerId/secret',
    access: edit,
    audit: 'pipeline-trigger.renew-secret',
    summary: "Replace a webhook's secret; the new one is answered once",
    params: two,
    data: z.object({ secret: z.string() }),
    topics: [triggersTopic],
  }),
  setHook: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:id/triggers/:triggerId/hook',
    access: edit,
    audit: 'pipeline-trigger.set-hook',
    summary: "Set up the webhook at the forge, with the password of the pipeline's repository",
    params: two,
    body: z.strictObject({ forge: Forge }),
    data: Trigger,
    topics: [triggersTopic],
  }),
  events: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/triggers/:triggerId/events',
    access: view,
    summary: 'What came of the occasions of a trigger, newest first',
    params: two,
    query: listQuery({ pageSize: 10 }),
    data: listOf(TriggerEvent),
    topics: [triggersTopic],
  }),
  slots: endpoint({
    method: 'GET',
    path: '/api/pipeline-schedules/slots',
    access: 'user',
    summary: 'The next five slots of a schedule, for a form',
    query: z.strictObject({ cron: cronText, zone: zoneName }),
    data: z.array(z.string()),
  }),
}
