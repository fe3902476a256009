import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { FindingCounts } from '../pipelines/findings/scans.ts'
import { dictionary } from '../validators.ts'
import { Reason } from './events.ts'
import { attempt, heldJob, JobAnswer, step } from './held.ts'

const ofStep = heldJob.extend({ step })

/** Such as `linux-x64`: a cache of one platform cannot be used on another. */
const platform = z
  .string()
  .max(50)
  .regex(/^[a-z0-9]+-[a-z0-9]+$/)
const cacheKey = z.string().min(1).max(1000)

/** Maximum size of a cache's archive in bytes, packed and unpacked. */
export const cacheLimits = { packed: 2 * 1024 ** 3, unpacked: 10 * 1024 ** 3 }

const reportPath = z.strictObject({ attempt, path: z.string().min(1).max(1000) })
const reportBytes = 50 * 1024 * 1024

/** Calls of single step types; the rest of the protocol is in `protocol.ts`. */
export const stepProtocol = {
  cache: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/steps/:step/cache',
    access: 'agent',
    audit: 'agent.cache',
    summary: 'Which entry a cache step restores: that of the key, else the newest of the first fallback that has one',
    params: ofStep,
    query: z.strictObject({ attempt }),
    body: z.strictObject({ platform, key: cacheKey, fallbacks: z.array(cacheKey).max(10) }),
    data: JobAnswer.extend({
      entry: z.object({ id: z.number().int(), key: z.string(), size: z.number().int(), sha256: z.string() }).nullable(),
    }),
    topics: [],
  }),
  /** The archive (tar, zstd) of a cache entry that the build may read. A deleted entry is refused with 409. */
  cached: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/steps/:step/cache/:entry',
    access: 'agent',
    audit: 'agent.cached',
    summary: 'What an entry of a cache holds',
    params: ofStep.extend({ entry: id }),
    query: z.strictObject({ attempt }),
    stream: 'application/zstd',
    data: z.unknown(),
    topics: [],
  }),
  keepCache: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/steps/:step/caches',
    access: 'agent',
    audit: 'agent.keep-cache',
    summary: "Keep an entry of a cache for later builds of the build's branch; it replaces one of the same key",
    params: ofStep,
    query: z.strictObject({ attempt, platform, key: cacheKey }),
    upload: cacheLimits.packed,
    data: JobAnswer,
    topics: [],
  }),
  coverage: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/steps/:step/coverage',
    access: 'agent',
    audit: 'agent.coverage',
    summary: 'Publish one coverage report, LCOV or Cobertura; its lines are added to those of the step',
    params: ofStep,
    query: reportPath,
    upload: reportBytes,
    data: JobAnswer.extend({
      /** The sum over all reports of the step so far. */
      lines: z.number().int(),
      covered: z.number().int(),
      before: z.object({ number: z.number().int(), lines: z.number().int(), covered: z.number().int() }).nullable(),
    }),
    topics: [],
  }),
  scan: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/steps/:step/scans',
    access: 'agent',
    audit: 'agent.scan',
    summary:
      'Publish one report of a scanner, SARIF or the JSON of Trivy; the same path of the same attempt is replaced',
    params: ofStep,
    query: reportPath,
    upload: reportBytes,
    data: JobAnswer.extend(FindingCounts.shape),
    topics: [],
  }),
  /** Requested again before the last token expires: a token lives no longer than the lease, which this call renews. */
  registryToken: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/steps/:step/registry-token',
    access: 'agent',
    audit: 'agent.registry-token',
    summary: 'A token for the registry of an image step',
    params: heldJob.extend({ step }),
    query: z.strictObject({ attempt }),
    data: JobAnswer.extend({ token: z.string(), seconds: z.number().int() }),
    topics: [],
  }),
  /**
   * For a step that the server runs itself. `texts` are the step's texts with outputs and variables filled in. Called
   * until the step ends; the repetition of a lost answer may repeat a request to a URL, but starts no second build.
   * `masked` names the texts of a blueprint step that contain a secret of the job.
   */
  serve: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/steps/:step/serve',
    access: 'agent',
    audit: 'agent.serve-step',
    summary: 'Have the server call a URL, or start another pipeline, for a step',
    params: heldJob.extend({ step }),
    query: z.strictObject({ attempt }),
    body: z.strictObject({
      texts: dictionary(z.string().max(253), z.string().max(200_000), 60),
      masked: z.array(z.string().max(253)).max(60).default([]),
    }),
    data: JobAnswer.extend({
      state: z.enum(['running', 'success', 'failed']),
      /** Lines for the step's log, in English. */
      log: z.array(z.string()),
      reason: Reason.nullable(),
      /** Outputs for later steps. */
      outputs: z.record(z.string(), z.string()),
    }),
    topics: [],
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
    params: heldJob.extend({ step }),
    query: z.strictObject({ attempt }),
    data: JobAnswer.extend({
      state: z.enum(['running', 'success', 'failed']),
      /** New lines for the step's log since the last call, in English: a log has one language. */
      log: z.array(z.string()),
      reason: Reason.nullable(),
    }),
    topics: [],
  }),
  /**
   * Called before a code quality step begins: the server makes sure that the project exists, and issues a token for
   * analyses of this project alone, valid until the step ends. It revokes the token of an earlier call.
   */
  codeQuality: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/steps/:step/code-quality',
    access: 'agent',
    audit: 'agent.code-quality',
    summary: 'Where and as what a code quality step analyses',
    params: heldJob.extend({ step }),
    query: z.strictObject({ attempt }),
    data: JobAnswer.extend({
      /** Null: there is no analysis, for the given reason. */
      analysis: z
        .object({
          url: z.string(),
          token: z.string(),
          /** The property in which scanners for this server's version take the token. */
          tokenProperty: z.string(),
          projectKey: z.string(),
        })
        .nullable(),
      reason: Reason.nullable(),
    }),
    topics: [],
  }),
  /** Called every few seconds until there is a result, with the code quality server's id of the analysis. */
  codeQualityResult: endpoint({
    method: 'POST',
    path: '/api/agent/jobs/:jobId/steps/:step/code-quality/result',
    access: 'agent',
    audit: 'agent.code-quality-result',
    summary: 'What the code quality server found, and whether the gate lets it pass',
    params: heldJob.extend({ step }),
    query: z.strictObject({
      attempt,
      task: z
        .string()
        .max(100)
        .regex(/^[A-Za-z0-9_-]+$/),
    }),
    data: JobAnswer.extend({
      state: z.enum(['running', 'success', 'failed']),
      log: z.array(z.string()),
      /** While the analysis runs: why the code quality server cannot be reached at the moment. */
      reason: Reason.nullable(),
    }),
    topics: [],
  }),
}
