import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { FindingCounts } from '../pipelines/findings/scans.ts'
import { dictionary } from '../validators.ts'
import { Reason } from './events.ts'
import { attempt, heldJob, JobAnswer, step } from './held.ts'

const ofStep = heldJob.extend({ step })

/** `linux-x64`: what is kept on one kind of machine is no good on another. */
const platform = z
  .string()
  .max(50)
  .regex(/^[a-z0-9]+-[a-z0-9]+$/)
const cacheKey = z.string().min(1).max(1000)

/** What an archive of a cache may have at most, packed and unpacked. */
export const cacheLimits = { packed: 2 * 1024 ** 3, unpacked: 10 * 1024 ** 3 }

const reportPath = z.strictObject({ attempt, path: z.string().min(1).max(1000) })
const reportBytes = 50 * 1024 * 1024

/** Calls of single types of steps; the rest of the protocol is in `protocol.ts`. */
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
  /** The archive (tar, zstd) of an entry that the build may read. One that is gone by now is refused with 409. */
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
      /** Of all reports of the step so far. */
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
  /** Requested again before the last one expires: a token lives no longer than the lease that this call renews. */
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
   * Of a step that the server does itself. `texts` are the step's own, with outputs and variables filled in. Called until
   * it ends; an answer that was lost may repeat a call of a URL, and starts no second build. `masked`: which of the texts of
   * a blueprint step have a secret of the job in them.
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
      /** What it tells later steps. */
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
      /** Lines for the step's log since the last call, in English: a log has one language. */
      log: z.array(z.string()),
      reason: Reason.nullable(),
    }),
    topics: [],
  }),
  /**
   * Before a code quality step begins: the server makes sure of the project and issues a token that is good for analyses
   * of this project alone, until the step has ended. The token of an earlier call is then good no more.
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
      /** Null: there is no analysis, for the reason. */
      analysis: z
        .object({
          url: z.string(),
          token: z.string(),
          /** The name of the property in which scanners of the server's time take the token. */
          tokenProperty: z.string(),
          projectKey: z.string(),
        })
        .nullable(),
      reason: Reason.nullable(),
    }),
    topics: [],
  }),
  /** Called every few seconds until it has a result, with the number that the code quality server gave the analysis. */
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
      /** While it runs: why the code quality server cannot be asked at the moment. */
      reason: Reason.nullable(),
    }),
    topics: [],
  }),
}
