import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { ExecutorName, OsType } from '../pipelines/definition.ts'
import { secret } from '../secret.ts'
import { AgentEvent } from './events.ts'
import { attempt, heldJob, JobAnswer, step } from './held.ts'
import { AskedTerminal } from './terminals.ts'
import { Work } from './work.ts'
import { agentsTopic } from './topics.ts'

/**
 * The protocol between a build agent and the server: HTTP and JSON, always initiated by the agent, with its credential
 * as the bearer token. Calls of single step types are in `step-protocol.ts`; version, leases, limits and the times of a
 * log are in `packages/agent-protocol`.
 */

/** The longest wait for jobs, in seconds. */
export const pollSeconds = 25

/** The most labels of an agent, both of those set on the server and of its own. */
export const labelsOfAgent = 50

export const agentLabel = z
  .string()
  .max(63, 'name-too-long')
  .regex(/^[A-Za-z0-9]([A-Za-z0-9_.=-]*[A-Za-z0-9])?$/, 'agents-label')

const bytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

/** The agent's report about itself, part of every claim, so that no other message is needed. */
const Self = z.strictObject({
  version: z.string().max(50),
  osType: OsType,
  executors: z.array(ExecutorName).max(10),
  /** Whether steps run in their own mount and PID namespaces; if not, the agent only gets administrators' builds. */
  isolated: z.boolean(),
  /** Jobs that it runs or kept over its restart: their leases are renewed; unknown ones are returned in `drop`. */
  holding: z.array(z.strictObject({ jobId: z.number().int(), attempt: z.number().int() })).max(1000),
  /** Since 2.1: its own labels, in addition to those set on the server. */
  labels: z.array(agentLabel).max(labelsOfAgent).optional(),
  /** Since 2.1, once a minute: the machine of the agent. */
  machine: z
    .strictObject({
      name: z.string().max(255),
      system: z.string().max(100),
      architecture: z.string().max(30),
      cpus: z.number().int().min(0).max(100_000),
      memory: bytes,
      disk: bytes,
      diskFree: bytes,
    })
    .optional(),
  /** Since 2.1: it has completed what an answer's `clean` requested. */
  cleaned: z.boolean().optional(),
  /** Why it has no room for another job despite free slots: its cluster's words about a quota. Absent: it has room. */
  waits: z.string().max(1000).optional(),
})

/** The agent creates its credential itself, so that registering again after a lost answer works. */
const credential = secret(
  z
    .string()
    .max(46, 'agents-credential')
    .regex(/^ga_[A-Za-z0-9_-]{43}$/, 'agents-credential'),
)

export const protocol = {
  /** Repeated with the same credential it succeeds again; another credential cannot use the token any more. */
  register: endpoint({
    method: 'POST',
    path: '/api/agent/register',
    access: 'public',
    audit: 'agent.register',
    summary: "Exchange an agent's one-time token for its credential",
    body: z.strictObject({ token: secret(z.string().min(1).max(100)), credential }),
    data: z.object({ name: z.string(), capacity: z.number().int() }),
    topics: [agentsTopic],
  }),
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
      /** Leased jobs that the agent must abort and forget. */
      drop: z.array(z.number().int()),
      /** Leased jobs whose builds were stopped by somebody. */
      cancel: z.array(z.number().int()),
      /** Since 2.1: delete workspaces and caches, and report that with the next claim; no job is given until then. */
      clean: z.boolean().default(false),
      /** Since 2.3: terminals that wait for the agent. */
      terminals: z.array(AskedTerminal).default([]),
    }),
    topics: [],
  }),
  events: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/events',
    access: 'agent',
    audit: 'agent.events',
    summary: 'Report what happened; an empty list only extends the lease',
    params: heldJob,
    body: z.strictObject({ attempt, first: z.number().int().min(1), events: z.array(AgentEvent).max(500) }),
    /** `next`: the number of the next event, for an agent that did not report the earlier ones itself. */
    data: JobAnswer.extend({ next: z.number().int().optional() }),
    topics: [],
  }),
  /**
   * Appends masked log bytes (raw, or compressed according to the content encoding) at a byte offset of the step's log.
   * Bytes received before are skipped; an offset beyond the end is refused with 409, and `next` says where to continue;
   * more than `stepLogBytes` is refused with 413. `times` are the times at which the bytes were read, such as
   * `0:1764000000000,5120:1764000000250`; without it the lines have no time.
   */
  log: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/steps/:step/log',
    access: 'agent',
    audit: 'agent.log',
    summary: "Append to a step's log",
    params: heldJob.extend({ step }),
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
    data: JobAnswer.extend({ next: z.number().int() }),
    topics: [],
  }),
  artifact: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/steps/:step/artifacts',
    access: 'agent',
    audit: 'agent.artifact',
    summary: 'Store one artifact; the same path of the same attempt is replaced',
    params: heldJob.extend({ step }),
    query: z.strictObject({ attempt, path: z.string().min(1).max(1000) }),
    upload: 2 * 1024 * 1024 * 1024,
    data: JobAnswer.extend({ sha256: z.string(), size: z.number().int() }),
    topics: [],
  }),
  /** An archive (tar, gzip) of the files that the job passes on to later jobs; replaces that of an earlier attempt. */
  handOn: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/files',
    access: 'agent',
    audit: 'agent.hand-on',
    summary: 'Store the files that a job hands on to later ones',
    params: heldJob,
    query: z.strictObject({ attempt }),
    upload: 2 * 1024 * 1024 * 1024,
    data: JobAnswer,
    topics: [],
  }),
  /** The archive of an earlier job of the same build; empty if that job passed nothing on. */
  handed: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/files/:from',
    access: 'agent',
    audit: 'agent.take-files',
    summary: 'The files that an earlier job handed on',
    params: heldJob.extend({ from: z.coerce.number().int().min(0).max(10_000) }),
    query: z.strictObject({ attempt }),
    stream: 'application/gzip',
    data: z.unknown(),
    topics: [],
  }),
  report: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/steps/:step/reports',
    access: 'agent',
    audit: 'agent.report',
    summary: 'Publish one JUnit XML file; the same path of the same attempt is replaced',
    params: heldJob.extend({ step }),
    query: z.strictObject({ attempt, path: z.string().min(1).max(1000) }),
    upload: 50 * 1024 * 1024,
    data: JobAnswer.extend({ total: z.number().int(), failed: z.number().int(), skipped: z.number().int() }),
    topics: [],
  }),
}
