import { z } from 'zod'
import { cronText, zoneName } from '../cron-validators.ts'
import { ipv4, urlPath } from '../validators.ts'
import { port } from './spec-container.ts'

/** The kind of Kubernetes object that creates a service's pods. */
export const Workload = z.enum(['deployment', 'statefulset', 'daemonset', 'job', 'cronjob'])
export type Workload = z.infer<typeof Workload>

/** Kubernetes' names, the same in every language. */
export const workloadKinds = {
  deployment: 'Deployment',
  statefulset: 'StatefulSet',
  daemonset: 'DaemonSet',
  job: 'Job',
  cronjob: 'CronJob',
} as const satisfies Record<Workload, string>

/** A number of instances, or a percentage of them: `2`, `25%`. */
const Share = z.union([
  z.number('rollout-share').int('rollout-share').min(0, 'rollout-share').max(1000, 'rollout-share'),
  z
    .string('rollout-share')
    .max(4, 'rollout-share')
    .regex(/^(100|\d{1,2})%$/, 'rollout-share'),
])

/**
 * How the instances of a Deployment are replaced. `rolling`: at most `surge` more and `unavailable` fewer at a time.
 * `healthy`: in place, while at least this number stays healthy. `recreate`: all at once.
 */
export const Rollout = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('rolling'), surge: Share.default(1), unavailable: Share.default(0) }),
  z.strictObject({
    type: z.literal('healthy'),
    healthy: z.number().int('rollout-healthy').min(1, 'rollout-healthy').max(999, 'rollout-healthy'),
  }),
  z.strictObject({ type: z.literal('recreate') }),
])
export type Rollout = z.infer<typeof Rollout>

const count = (min: number, max: number) =>
  z.number().int('count-range').min(min, 'count-range').max(max, 'count-range')

/** How a Job, or each Job of a CronJob, runs. */
export const JobRules = z.strictObject({
  /** The number of pods that must succeed. */
  completions: count(1, 1000).default(1),
  /** The most pods at a time. */
  parallelism: count(1, 100).default(1),
  /** The number of failures after which it has failed. */
  retries: count(0, 100).default(3),
  /** The time limit in seconds. */
  deadlineSeconds: z.number().int('seconds-range').min(1, 'seconds-range').max(604_800, 'seconds-range').optional(),
})
export type JobRules = z.infer<typeof JobRules>

/** When a CronJob starts a Job. How many Jobs may run at a time is fixed, so that the share can count them. */
export const Schedule = z.strictObject({
  cron: cronText,
  zone: zoneName.default('UTC'),
  /** Whether the next Job waits for one that still runs, or ends it. */
  overlap: z.enum(['wait', 'replace']).default('wait'),
  paused: z.boolean().default(false),
})
export type Schedule = z.infer<typeof Schedule>

const domain = z
  .string()
  .max(253, 'dns-domain-format')
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'dns-domain-format')

/** Name servers and search domains in addition to those of the cluster. */
export const Dns = z.strictObject({
  servers: z.array(ipv4).max(2, 'dns-servers-count').default([]),
  searches: z.array(domain).max(3, 'dns-searches-count').default([]),
})

const account = z.number().int('user-id-range').min(0, 'user-id-range').max(2_147_483_647, 'user-id-range')

/** Restrictions of a service's processes on their host. Nothing here permits more than a pod may do by default. */
export const Security = z.strictObject({
  user: account.optional(),
  group: account.optional(),
  /** The group that owns its volumes. */
  volumeGroup: account.optional(),
  nonRoot: z.boolean().optional(),
  readOnlyRoot: z.boolean().optional(),
  /** Linux capabilities to drop; `ALL`: every one. */
  drop: z
    .array(
      z
        .string()
        .max(42, 'capability-format')
        .regex(/^[A-Z][A-Z_]{1,40}$/, 'capability-format'),
    )
    .max(50, 'list-too-long')
    .optional(),
})

/** The port and path of the service's own metrics, for Prometheus. */
export const Metrics = z.strictObject({ port, path: urlPath.default('/metrics') })

export const Gpu = z.number().int('gpu-positive').min(1, 'gpu-positive').max(64, 'gpu-maximum')
