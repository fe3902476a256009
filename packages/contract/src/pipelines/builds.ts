import { z } from 'zod'
import { decisionsTopic } from '../decisions/topics.ts'
import { endpoint } from '../endpoint.ts'
import { id, idOrUuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { dictionary, refName, text } from '../validators.ts'
import { BuildAttempt, ofAttempt } from './builds/attempts.ts'
import { BuildGate } from './builds/gate.ts'
import { BuildWait } from './builds/wait.ts'
import { TextProblem } from './editing/definition-file.ts'
import { QueueEntry } from './queue.ts'
import { BuildCause, BuildState, JobState, StepState } from './states.ts'
import { buildsTopic, buildTopic, pipelinesTopic } from './topics.ts'
import { agentsTopic } from '../agents/topics.ts'

export const BuildStep = z.object({
  /** Position in the build, from 0: the key of its log. */
  index: z.number().int(),
  /** The position of its job in the build. */
  job: z.number().int(),
  name: z.string(),
  type: z.string(),
  state: StepState,
  exitCode: z.number().int().nullable(),
  /** Why it failed, in the caller's language. */
  message: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  logLines: z.number().int(),
  /** The earlier attempt of its job in which it passed, with that attempt's log and files; null: it ran in this one. */
  passedIn: z.number().int().nullable(),
})
export type BuildStep = z.infer<typeof BuildStep>

/** A job of a stage with jobs; a matrix has one for each combination. */
export const BuildJob = z.object({
  /** Position in the build, from 0. */
  index: z.number().int(),
  name: z.string(),
  matrix: z.record(z.string(), z.string()),
  state: JobState,
  agentName: z.string(),
  attempt: z.number().int(),
  /** Why it ended as it did, in the caller's language. */
  message: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
})
export type BuildJob = z.infer<typeof BuildJob>

export const BuildStage = z.object({
  name: z.string(),
  state: StepState,
  /** Null while nobody has been asked. */
  gate: BuildGate.nullable(),
  /** Empty if the stage has steps only. */
  jobs: z.array(BuildJob),
  /** All steps of the stage, job by job. */
  steps: z.array(BuildStep),
})
export type BuildStage = z.infer<typeof BuildStage>

export const BuildSummary = z.object({
  pipelineId: z.number().int(),
  number: z.number().int(),
  queueId: z.number().int(),
  state: BuildState,
  /** A cause as in `BuildCause`. */
  cause: z.string(),
  /** Who triggered it. */
  userCause: z.string(),
  /** The user who retried it last, and for whom it now acts; empty: it was never retried. */
  retriedBy: z.string(),
  branch: z.string(),
  /** It is of a fork's merge request, and the branch is the fork's. */
  fork: z.boolean(),
  /** Empty if the build is of a branch. */
  tag: z.string(),
  commit: z.string(),
  commitMessage: z.string(),
  agentName: z.string(),
  attempt: z.number().int(),
  /** Why it ended as it did, in the caller's language. */
  message: z.string(),
  queuedAt: z.string(),
  /** When it began; after a retry, when it continued. */
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** How long it ran before the last retry, without pauses. */
  earlierSeconds: z.number(),
  /** How long in total it waited for people at its stages; not part of its duration. */
  waitedSeconds: z.number(),
  /** Since when a stage waits for people; null if none does. */
  askedAt: z.string().nullable(),
  tests: z.object({ total: z.number().int(), failed: z.number().int(), skipped: z.number().int() }).nullable(),
  artifactNum: z.number().int(),
  /** Its data is kept, and it cannot be deleted. */
  pinned: z.boolean(),
  /** Its stages come from an unsaved draft. */
  draft: z.boolean(),
  /** When its steps, logs and files were removed; null while they exist. */
  emptiedAt: z.string().nullable(),
  /** The newest image that it pushed; null, and empty below, if there is none. */
  imageId: z.number().int().nullable(),
  imageTag: z.string(),
  /** That image with its tag, as `trigger/image` takes it. */
  version: z.string(),
})
export type BuildSummary = z.infer<typeof BuildSummary>

export const BuildImage = z.object({
  id: z.number().int(),
  buildNumber: z.number().int(),
  step: z.string(),
  image: z.string(),
  tag: z.string(),
  digest: z.string(),
  size: z.number().int(),
  createdAt: z.string(),
})
export type BuildImage = z.infer<typeof BuildImage>

/** What the build of a fork's merge request does not get. */
export const Withheld = z.object({
  /** The number of secrets of the group, the pipeline and the parameters. */
  secrets: z.number().int(),
  /** The names of the registries whose credentials its steps would use. */
  registries: z.array(z.string()),
  /** Whether the artifact repository has a login. */
  artifacts: z.boolean(),
  /** The names of the skipped steps. */
  steps: z.array(z.string()),
})
export type Withheld = z.infer<typeof Withheld>

export const Build = BuildSummary.extend({
  stages: z.array(BuildStage),
  /** What it, and the latest attempts of its jobs, waited for. */
  waits: z.array(BuildWait),
  /** The kept attempts of each job that has begun, the oldest first. */
  attempts: z.array(BuildAttempt),
  parameters: z.record(z.string(), z.string()),
  /** The image whose version triggered it, as `trigger/image` takes it; empty without one. */
  image: z.string(),
  mergeRequest: z
    .object({ number: z.number().int(), source: z.string(), target: z.string(), fork: z.boolean() })
    .nullable(),
  /** It needed a review before it could begin. */
  reviewed: z.boolean(),
  /** When its logs, or its artifacts, were removed before the rest. */
  logsRemovedAt: z.string().nullable(),
  artifactsRemovedAt: z.string().nullable(),
  /** The number of places in files that its logs and test reports name. */
  annotationNum: z.number().int(),
  images: z.array(BuildImage),
  /** The definition file in the repository and its commit; null: the build ran the console's definition, or a draft. */
  definitionFile: z
    .object({
      path: z.string(),
      /** Empty until the file has been read. */
      commit: z.string(),
      /** Why the file could not be run. */
      problems: z.array(TextProblem),
    })
    .nullable(),
})
export type Build = z.infer<typeof Build>

const one = z.strictObject({ id: idOrUuid })
const numbered = z.strictObject({ id: idOrUuid, number: id })
const view = { owner: 'pipeline', by: 'id', permission: 'pipeline_build_view' } as const
const execute = { owner: 'pipeline', by: 'id', permission: 'pipeline_build_execute' } as const

/** The source of a build: a branch or a tag, at its newest commit or at the given one. */
const source = {
  branch: z.string().max(255).optional(),
  tag: refName('tag').optional(),
  commit: z
    .string()
    .max(64)
    .regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'commit-invalid')
    .optional(),
  /** One key starts at most one build within a day, however often it is sent. */
  idempotencyKey: z.string().min(1).max(200).optional(),
}
const ofOne = (body: { branch?: string | undefined; tag?: string | undefined }): boolean => !body.branch || !body.tag
const ofOneSaid = { message: 'branch-or-tag', path: ['tag'] }
export const triggered = z.object({ number: z.number().int(), queueId: z.number().int() })

const endedTime = z.coerce
  .number()
  .int('range-order')
  .min(0, 'range-order')
  .max(9_999_999_999_999, 'range-order')
  .default(0)

/** The filters of a list of builds. */
export const buildFilters = {
  state: z.enum(['all', ...BuildState.options]).optional(),
  /** The exact branch; `author` is the exact user who triggered it. */
  branch: z.string().max(255).optional(),
  cause: z.enum(['all', ...BuildCause.options]).optional(),
  author: z.string().max(255).optional(),
}

export const builds = {
  list: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/builds',
    access: view,
    summary: "A pipeline's builds, newest first",
    params: one,
    query: listQuery({ pageSize: 10 }).extend({
      ...buildFilters,
      /** Epoch milliseconds; the build ended at or after the start and before the end. 0: no limit. */
      startTime: endedTime,
      endTime: endedTime,
      /** The outcome of its deploy steps. */
      deployment: z.enum(['success', 'failed']).optional(),
    }),
    data: listOf(BuildSummary),
    topics: [buildsTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/builds/:number',
    access: view,
    summary:
      'One build with its stages and steps, as the latest attempts of its jobs left them, or one of them an earlier one',
    params: numbered,
    query: z.strictObject(ofAttempt),
    data: Build,
    topics: [buildTopic],
  }),
  withheld: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/builds/:number/withheld',
    access: view,
    summary: "What the build of a fork's merge request is not given; null for any other build",
    params: numbered,
    data: Withheld.nullable(),
    topics: [buildTopic],
  }),
  current: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/current',
    access: view,
    summary: 'The newest build, or null',
    params: one,
    data: Build.nullable(),
    topics: [buildsTopic],
  }),
  queue: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/queue',
    access: view,
    summary: 'Builds that wait, and why',
    params: one,
    data: z.array(QueueEntry),
    topics: [buildsTopic],
  }),
  trigger: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:id/trigger/manual',
    access: execute,
    audit: 'build.trigger',
    summary: 'Start a build',
    params: one,
    body: z.strictObject(source).refine(ofOne, ofOneSaid),
    data: triggered,
    topics: [buildsTopic],
  }),
  triggerWithParameters: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:id/paramsTrigger',
    access: execute,
    audit: 'build.trigger',
    summary: 'Start a build with parameters',
    params: one,
    body: z
      .strictObject({
        parameters: dictionary(z.string().max(253), z.string().max(4096), 50),
        ...source,
      })
      .refine(ofOne, ofOneSaid),
    data: triggered,
    topics: [buildsTopic],
  }),
  triggerForImage: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:uuid/trigger/image',
    access: { owner: 'pipeline', by: 'uuid', permission: 'pipeline_build_execute' },
    audit: 'build.trigger',
    summary: 'Start a build for an image version that a build of the team made: its deploy steps deploy that image',
    params: z.strictObject({ uuid: idOrUuid }),
    body: z
      .strictObject({
        /** With a tag or a digest. */
        image: z.string().trim().min(1, 'image-required').max(500, 'image-format'),
        parameters: dictionary(z.string().max(253), z.string().max(4096, 'value-too-long'), 50).optional(),
        ...source,
        branch: z.union([z.literal(''), refName('branch')]).optional(),
      })
      .refine(ofOne, ofOneSaid),
    data: triggered,
    topics: [buildsTopic],
  }),
  stop: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:id/builds/:number/stop',
    access: execute,
    audit: 'build.stop',
    summary: 'Stop a running build',
    params: numbered,
    data: z.null(),
    topics: [buildsTopic, buildTopic],
  }),
  /** Not in the specification: starts a stage that waits for people, or ends the build. */
  decide: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:id/builds/:number/stages/:stage/decision',
    access: view,
    asks: ['pipeline_build_execute', 'pipeline_review_operate'],
    audit: 'build.decide',
    summary: 'Let a waiting stage of a build begin, or reject it and end the build',
    params: numbered.extend({ stage: z.string().min(1).max(60) }),
    body: z.strictObject({
      pass: z.boolean(),
      /** Omitted parameters keep their values; approvals of other values become void. */
      parameters: dictionary(z.string().max(253), z.string().max(4096), 50).default({}),
      /** Approves only if these are still the present values, as displayed: others may have changed them meanwhile. */
      expected: dictionary(z.string().max(253), z.string().max(4096), 50).optional(),
      reason: text(1000).default(''),
    }),
    data: z.null(),
    topics: [buildsTopic, buildTopic, decisionsTopic],
  }),
  /** Not in the specification. Passed jobs keep their files and outputs; attempts of repeated jobs stay readable. */
  retry: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:id/builds/:number/retry',
    access: execute,
    audit: 'build.retry',
    summary: 'Run what failed of an ended build again, or one job, at the same commit and by the same definition',
    params: numbered,
    body: z.strictObject({
      /** `failed`: everything that did not succeed; otherwise the jobs of this name, and those that have not run. */
      from: z.union([z.strictObject({ job: z.string().min(1).max(30) }), z.literal('failed')]).default('failed'),
    }),
    data: z.null(),
    topics: [buildsTopic, buildTopic],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:id/queues/:queueId/cancel',
    access: execute,
    audit: 'build.cancel',
    summary: 'Take a build out of the queue',
    params: z.strictObject({ id: idOrUuid, queueId: id }),
    data: z.null(),
    topics: [buildsTopic, buildTopic, agentsTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v2/pipelines/:id/builds/:number',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_build_delete' },
    audit: 'build.delete',
    summary: 'Delete an ended build with its log and artifacts',
    params: numbered,
    data: z.null(),
    topics: [buildsTopic, buildTopic],
  }),
  removeMany: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:id/builds/delete',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_build_delete' },
    audit: 'build.delete-many',
    summary: 'Delete ended builds: all or none',
    params: one,
    body: z.array(id).min(1, 'list-empty').max(1000, 'list-too-long'),
    data: z.null(),
    topics: [buildsTopic, buildTopic],
  }),
  /**
   * Lines [offset, offset + limit) of a stage's log, or with `step` of that step's log; offset -1 means the last
   * `limit` lines. It grows while the steps run; a step's lines follow after all steps before it have ended.
   */
  log: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/stages/:stage/:number/logs',
    access: view,
    summary: "Lines of a stage's log: of all its steps as one, or of one of them",
    params: z.strictObject({ id: idOrUuid, stage: z.string().min(1).max(60), number: id }),
    query: z.strictObject({
      step: z.coerce.number().int().min(0).max(10_000).optional(),
      offset: z.coerce.number().int().min(-1).max(1e12).default(0),
      limit: z.coerce.number().int().min(1).max(5000).default(1000),
      /** Only lines that contain this text; `offset` then counts hits. */
      search: z.string().min(1).max(200).optional(),
      ...ofAttempt,
    }),
    data: z.object({
      /** The last step with lines in this answer. */
      step: z.number().int(),
      /** The steps with lines in this answer, and the number of each one's first line. */
      steps: z.array(z.object({ step: z.number().int(), first: z.number().int() })),
      lines: z.array(z.object({ n: z.number().int(), at: z.number().nullable(), text: z.string() })),
      /** The number of lines (or hits of a search) so far. */
      total: z.number().int(),
      /** No line will be added. */
      complete: z.boolean(),
      truncated: z.boolean(),
    }),
  }),
  /** Hits in the order of the build, from a line of a step on; `next` starts the next page, null at the end. */
  searchLog: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/builds/:number/log/search',
    access: view,
    summary: "Lines of all of a build's steps that contain a text",
    params: numbered,
    query: z.strictObject({
      search: z.string().min(1).max(200),
      step: z.coerce.number().int().min(0).max(10_000).default(0),
      line: z.coerce.number().int().min(0).max(1e12).default(0),
      limit: z.coerce.number().int().min(1).max(1000).default(500),
      ...ofAttempt,
    }),
    data: z.object({
      hits: z.array(z.object({ step: z.number().int(), n: z.number().int(), text: z.string() })),
      next: z.object({ step: z.number().int(), line: z.number().int() }).nullable(),
    }),
  }),
  /** The whole log as text. Authorized by a ticket or a bearer token. */
  logFile: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/builds/:number/steps/:step/log',
    access: view,
    summary: "A step's whole log as plain text",
    params: numbered.extend({ step: z.coerce.number().int().min(0).max(10_000) }),
    query: z.strictObject(ofAttempt),
    stream: 'text/plain; charset=utf-8',
    data: z.unknown(),
  }),
  wholeLog: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/builds/:number/log',
    access: view,
    summary: "The logs of all of a build's steps as plain text",
    params: numbered,
    query: z.strictObject(ofAttempt),
    stream: 'text/plain; charset=utf-8',
    data: z.unknown(),
  }),
  images: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/images',
    access: view,
    summary: 'Images that the pipeline made, newest first',
    params: one,
    query: listQuery({ pageSize: 10 }),
    data: listOf(BuildImage),
    topics: [buildsTopic, pipelinesTopic],
  }),
}
