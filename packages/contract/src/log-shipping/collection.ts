import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { dnsLabel } from '../validators.ts'
import { collectorsTopic } from './topics.ts'

const areUnique = <T>(values: T[]): boolean => new Set(values).size === values.length

const integerWithin = (least: number, most: number, message: string) =>
  z.number(message).int(message).min(least, message).max(most, message)

/** Which containers' logs are collected, and how. */
export const LogSettings = z.strictObject({
  /** The clusters in which a collector runs. */
  environments: z.array(uuid).max(500, 'list-too-long').refine(areUnique, 'logs-twice'),
  allTeams: z.boolean(),
  /** Without `allTeams`: the teams whose namespaces are collected. */
  teamIds: z.array(id).max(500, 'list-too-long').refine(areUnique, 'logs-twice'),
  /** Namespaces (one per stack) that are excluded. */
  excluded: z.array(dnsLabel(63)).max(200, 'list-too-long').refine(areUnique, 'logs-twice'),
  streams: z.enum(['all', 'stderr']),
  /** The language whose stack traces are joined to one record. */
  multiline: z.enum(['none', 'java', 'go', 'python']),
  /** The limit per container; further lines are dropped. */
  linesPerSecond: integerWithin(1, 100_000, 'logs-lines-per-second'),
  image: z
    .string()
    .trim()
    .min(1, 'image-format')
    .max(600, 'image-format')
    .regex(/^[A-Za-z0-9][A-Za-z0-9._:/@-]*$/, 'image-format'),
  /** Memory of each collector in MiB. */
  memory: integerWithin(32, 4096, 'logs-memory'),
})
export type LogSettings = z.infer<typeof LogSettings>

export const CollectorState = z.enum(['waiting', 'completed', 'failed', 'off', 'removing'])

export const Collector = z.object({
  environment: z.uuid(),
  name: z.string(),
  /** waiting: not set up yet; off: Kafka is not configured for logs; removing: the cluster is no longer selected. */
  state: CollectorState,
  /** Hash of the configuration in the cluster; empty: none. */
  hash: z.string(),
  /** Pods of the collector, one per host; null: the cluster does not report it. */
  desired: z.number().int().nullable(),
  ready: z.number().int().nullable(),
  appliedAt: z.string().nullable(),
  /** Why setting up, removing or reading failed, in the caller's language. */
  problem: z.string(),
})
export type Collector = z.infer<typeof Collector>

const Saved = LogSettings.extend({
  revision: z.number().int(),
  /** Whether Kafka is configured for logs: otherwise nothing is collected. */
  kafka: z.boolean(),
  collectors: z.array(Collector),
})
export type SavedLogSettings = z.infer<typeof Saved>

export const collection = {
  get: endpoint({
    method: 'GET',
    path: '/orchestration/api/system/log/configmap',
    access: { system: 'system_setting_view' },
    summary: 'Which logs of containers are collected, and what stands in each cluster for it',
    data: Saved,
    topics: [collectorsTopic],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/orchestration/api/system/log/configmap',
    access: 'admin',
    audit: 'log-collection.update',
    summary: 'Set which logs of containers are collected. The collectors follow in each cluster',
    body: LogSettings.extend({ revision: z.number().int() }),
    data: Saved,
    topics: [collectorsTopic],
  }),
}
