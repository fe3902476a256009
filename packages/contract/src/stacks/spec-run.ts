import { z } from 'zod'
import { cronText, zoneName } from '../cron-validators.ts'
import { ipv4, urlPath } from '../validators.ts'
import { port } from './spec-container.ts'

/** The kind of object in Kubernetes that makes a service's pods. */
export const Workload = z.enum(['deployment', 'statefulset', 'daemonset', 'job', 'cronjob'])
export type Workload = z.infer<typeof Workload>

/** How Kubernetes spells them, in every language. */
export const workloadKinds = {
  deployment: 'Deployment',
  statefulset: 'StatefulSet',
  daemonset: 'DaemonSet',
  job: 'Job',
  cronjob: 'CronJob',
} as const satisfies Record<Workload, string>

/** How many instances, or which part of them: `2`, `25%`. */
const Share = z.union([
  z.number('rollout-share').int('rollout-share').min(0, 'rollout-share').max(1000, 'rollout-share'),
  z
    .string('rollout-share')
    .max(4, 'rollout-share')
    .regex(/^(100|\d{1,2})%$/, 'rollout-share'),
])

/**
 * How the instances of a Deployment are replaced. `rolling`: `surge` more at a time, and `unavailable` less. `healthy`:
 * in place, while at least so many stay healthy. `recreate`: all at once.
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

/** How a Job, or each Job of a CronJob, runs to its end. */
export const JobRules = z.strictObject({
  /** Pods that must succeed. */
  completions: count(1, 1000).default(1),
  /** Pods at a time. */
  parallelism: count(1, 100).default(1),
  /** Failures after which it is given up. */
  retries: count(0, 100).default(3),
  /** Seconds after which it is ended. */
  deadlineSeconds: z.number().int('seconds-range').min(1, 'seconds-range').max(604_800, 'seconds-range').optional(),
})
export type JobRules = z.infer<typeof JobRules>

/** When a CronJob starts a Job. What may run at a time is known in advance, so that the share can count it. */
export const Schedule = z.strictObject({
  cron: cronText,
  zone: zoneName.default('UTC'),
  /** A Job that still runs when the next is due is waited for, or ended. */
  overlap: z.enum(['wait', 'replace']).default('wait'),
  paused: z.boolean().default(false),
})
export type Schedule = z.infer<typeof Schedule>

const domain = z
  .string()
  .max(253, 'dns-domain-format')
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'dns-domain-format')

/** Name servers and search domains besides those of the cluster. */
export const Dns = z.strictObject({
  servers: z.array(ipv4).max(2, 'dns-servers-count').default([]),
  searches: z.array(domain).max(3, 'dns-searches-count').default([]),
})

const account = z.number().int('user-id-range').min(0, 'user-id-range').max(2_147_483_647, 'user-id-range')

/** What the processes of a service may do on their host. Nothing here gives more than a pod has by itself. */
export const Security = z.strictObject({
  user: account.optional(),
  group: account.optional(),
  /** The group that owns its volumes. */
  volumeGroup: account.optional(),
  nonRoot: z.boolean().optional(),
  readOnlyRoot: z.boolean().optional(),
  /** Linux capabilities that are dropped; `ALL` for every one. */
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

/** Where Prometheus finds the service's own metrics. */
export const Metrics = z.strictObject({ port, path: urlPath.default('/metrics') })

export const Gpu = z.number().int('gpu-positive').min(1, 'gpu-positive').max(64, 'gpu-maximum')
