import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { StepState } from '../pipelines/states.ts'
import { ExecutorName, OsType, Step } from '../pipelines/definition.ts'
import { outputLimits } from '../pipelines/conditions.ts'
import { dictionary, envKey } from '../validators.ts'

/**
 * The protocol between a build agent and the server: HTTP and JSON, always initiated by the agent, with its credential
 * as the bearer token. The rest of the protocol (its version, leases, limits, times of a log) is in
 * `packages/agent-protocol`.
 */

/** The longest wait for jobs, in seconds. */
export const pollSeconds = 25

/** What the agent reports of itself with every claim, so that no other message is needed. */
const Self = z.strictObject({
  version: z.string().max(50),
  osType: OsType,
  executors: z.array(ExecutorName).max(10),
  /** Whether steps run in their own mount and PID namespaces; without, the agent only gets administrators' builds. */
  isolated: z.boolean(),
  /**
   * Jobs that it still runs or kept over its own restart: their leases are renewed, unknown ones are returned in
   * `drop`.
   */
  holding: z.array(z.strictObject({ jobId: z.number().int(), attempt: z.number().int() })).max(1000),
})

/** The value of a secret is in `environment` or `repository`; `masked` lists what must not appear in a log. */
export const Work = z.object({
  /** What is leased: a job of a build. */
  jobId: z.number().int(),
  buildId: z.number().int(),
  attempt: z.number().int(),
  pipelineId: z.number().int(),
  pipelineName: z.string(),
  number: z.number().int(),
  /** Seconds that the job may take. */
  timeoutSeconds: z.number().int(),
  repository: z
    .object({
      url: z.string(),
      branch: z.string(),
      /** Where the build is of a tag, its branch is empty. */
      tag: z.string().default(''),
      /** Empty: the newest of the branch or tag. */
      commit: z.string(),
      username: z.string(),
      password: z.string(),
    })
    .nullable(),
  executor: ExecutorName.default('process'),
  /** The position in the build of the first step; a step is named by its position in every call. */
  firstStep: z.number().int().default(0),
  stages: z.array(z.object({ name: z.string(), steps: z.array(Step) })),
  /**
   * For each step what it still depends on: whether something failed, and outputs. Null: it is left out in any case.
   * Without an entry it runs while nothing has failed, or with `always`.
   */
  conditions: z
    .array(
      z
        .object({
          result: z.enum(['success', 'failed', 'always']),
          outputs: z.array(z.object({ name: z.string(), in: z.array(z.string()) })),
        })
        .nullable(),
    )
    .default([]),
  /** Something has failed in the build before this job. */
  failed: z.boolean().default(false),
  /** The outputs of earlier steps, by `step.KEY`. */
  outputs: z.record(z.string(), z.string()).default({}),
  /** Patterns of files that the job hands on when it succeeds. */
  handsOn: z.array(z.string()).default([]),
  /** Jobs whose files this one begins with, by their position in the build. */
  takesFrom: z.array(z.number().int()).default([]),
  /** The environment of every step, in order: group, pipeline, parameters, the product's own GANTRY_*. */
  environment: z.array(z.object({ name: z.string(), value: z.string() })),
  masked: z.array(z.string()),
  /** The registries that the image steps name. */
  registries: z.array(
    z.object({
      id: z.number().int(),
      url: z.string(),
      username: z.string(),
      password: z.string(),
      insecure: z.boolean(),
      /** Authentication by tokens that the server issues to an image step, and by nothing else. */
      tokens: z.boolean().default(false),
    }),
  ),
})
export type Work = z.infer<typeof Work>

const held = z.strictObject({ jobId: id })
const attempt = z.coerce.number().int().min(1)
const step = z.coerce.number().int().min(0).max(10_000)

/** Why a step failed, as a phrase key and its values, so that it can be read in both languages. */
export const Reason = z.strictObject({
  key: z.string().max(100),
  vars: dictionary(z.string().max(50), z.union([z.string().max(4000), z.number()]), 50).default({}),
})
export type Reason = z.infer<typeof Reason>

/** Events are numbered from 1 within an attempt; a repeated one is ignored, a gap is refused with 409. */
export const AgentEvent = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('step'),
    step,
    state: StepState,
    exitCode: z.number().int().nullable().optional(),
    reason: Reason.optional(),
    /** Epoch milliseconds of the agent's clock; the server orders by arrival and shows its own times. */
    at: z.number(),
  }),
  z.strictObject({ type: z.literal('commit'), commit: z.string().max(64), message: z.string().max(1000) }),
  z.strictObject({
    type: z.literal('image'),
    step,
    image: z.string().max(600),
    tag: z.string().max(128),
    digest: z.string().max(200),
    size: z.number().int(),
    registryId: z.number().int(),
  }),
  /** What a step tells later ones; secrets in it are masked. */
  z.strictObject({
    type: z.literal('output'),
    step,
    values: dictionary(envKey, z.string().max(outputLimits.value), outputLimits.values),
  }),
  /** The last event of an attempt: the server ends the job only when every log is complete up to `logs`. */
  z.strictObject({
    type: z.literal('end'),
    state: z.enum(['success', 'failed', 'aborted']),
    reason: Reason.optional(),
    /** Bytes of each step's log. */
    logs: z.array(z.strictObject({ step, bytes: z.number().int().min(0) })).max(10_000),
  }),
])
export type AgentEvent = z.infer<typeof AgentEvent>

/** Returned with every answer about a job. */
const Told = z.object({ cancel: z.boolean() })

export const protocol = {
  claim: endpoint({
    method: 'POST',
    path: '/api/agent/claim',
    access: 'agent',
    audit: 'agent.claim',
    summary: 'Wait up to 25 s for jobs; at most `free` are answered, each with its lease',
    body: Self.extend({
      free: z.number().int().min(0).max(100),
      wait: z.number().int().min(0).max(pollSeconds).default(pollSeconds),
    }),
    data: z.object({
      work: z.array(Work),
      /** Held jobs that the agent must abort and forget. */
      drop: z.array(z.number().int()),
      /** Held jobs whose builds somebody stopped. */
      cancel: z.array(z.number().int()),
    }),
  }),
  events: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/events',
    access: 'agent',
    audit: 'agent.events',
    summary: 'Report what happened; an empty list only extends the lease',
    params: held,
    body: z.strictObject({ attempt, first: z.number().int().min(1), events: z.array(AgentEvent).max(500) }),
    data: Told,
  }),
  /**
   * Appends masked log bytes (raw, or compressed according to the content encoding) at a byte offset of the step's log.
   * Known bytes are skipped; an offset beyond the end is refused with 409, and `next` says where to continue; more than
   * `stepLogBytes` is refused with 413. `times` says when they were read, as `0:1764000000000,5120:1764000000250`;
   * without it the lines have no time.
   */
  log: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/steps/:step/log',
    access: 'agent',
    audit: 'agent.log',
    summary: "Append to a step's log",
    params: held.extend({ step }),
    query: z.strictObject({
      attempt,
      offset: z.coerce.number().int().min(0),
      times: z
        .string()
        .max(2000)
        .regex(/^\d{1,7}:\d{13}(,\d{1,7}:\d{13})*$/)
        .optional(),
    }),
    upload: 4 * 1024 * 1024,
    data: Told.extend({ next: z.number().int() }),
  }),
  artifact: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/steps/:step/artifacts',
    access: 'agent',
    audit: 'agent.artifact',
    summary: 'Store one artifact; the same path of the same attempt is replaced',
    params: held.extend({ step }),
    query: z.strictObject({ attempt, path: z.string().min(1).max(1000) }),
    upload: 2 * 1024 * 1024 * 1024,
    data: Told.extend({ sha256: z.string(), size: z.number().int() }),
  }),
  /** One archive (tar, gzip) of what the job hands on; it replaces the one of an earlier attempt. */
  handOn: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/files',
    access: 'agent',
    audit: 'agent.hand-on',
    summary: 'Store the files that a job hands on to later ones',
    params: held,
    query: z.strictObject({ attempt }),
    upload: 2 * 1024 * 1024 * 1024,
    data: Told,
  }),
  /** The archive of an earlier job of the same build; empty where it handed nothing on. */
  handed: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/files/:from',
    access: 'agent',
    audit: 'agent.take-files',
    summary: 'The files that an earlier job handed on',
    params: held.extend({ from: z.coerce.number().int().min(0).max(10_000) }),
    query: z.strictObject({ attempt }),
    stream: 'application/gzip',
    data: z.unknown(),
  }),
  report: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/steps/:step/reports',
    access: 'agent',
    audit: 'agent.report',
    summary: 'Publish one JUnit XML file; the same path of the same attempt is replaced',
    params: held.extend({ step }),
    query: z.strictObject({ attempt, path: z.string().min(1).max(1000) }),
    upload: 50 * 1024 * 1024,
    data: Told.extend({ total: z.number().int(), failed: z.number().int(), skipped: z.number().int() }),
  }),
  /** Requested again before the last one expires: a token lives no longer than the lease that this call renews. */
  registryToken: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/steps/:step/registry-token',
    access: 'agent',
    audit: 'agent.registry-token',
    summary: 'A token for the registry of an image step',
    params: held.extend({ step }),
    query: z.strictObject({ attempt }),
    data: Told.extend({ token: z.string(), seconds: z.number().int() }),
  }),
  /**
   * Idempotent per build and step: the first call starts the upgrade, later ones report its progress. Called every
   * second.
   */
  deploy: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/steps/:step/deploy',
    access: 'agent',
    audit: 'agent.deploy',
    summary: 'Put an image of this build into a service',
    params: held.extend({ step }),
    query: z.strictObject({ attempt }),
    data: Told.extend({
      state: z.enum(['running', 'success', 'failed']),
      /** Lines for the step's log since the last call, in English: a log has one language. */
      log: z.array(z.string()),
      reason: Reason.nullable(),
    }),
  }),
}

export const AgentRow = z.object({
  id: z.number().int(),
  name: z.string(),
  osType: z.string(),
  labels: z.array(z.string()),
  capacity: z.number().int(),
  running: z.number().int(),
  /** online: seen within 60 s. */
  state: z.enum(['online', 'offline', 'never']),
  version: z.string(),
  isolated: z.boolean(),
  executors: z.array(ExecutorName),
  embedded: z.boolean(),
  lastSeenAt: z.string().nullable(),
  uuid,
})
export type AgentRow = z.infer<typeof AgentRow>

export const agents = {
  list: endpoint({
    method: 'GET',
    path: '/api/agents',
    access: { system: 'system_agent_view' },
    summary: 'Build agents',
    data: z.array(AgentRow),
  }),
}
