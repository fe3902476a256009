import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { dnsLabel } from '../validators.ts'
import { collectorsTopic } from './topics.ts'

const areUnique = <T>(values: T[]): boolean => new Set(values).size === values.length

const integerWithin = (least: number, most: number, message: string) =>
  z.number(message).int(message).min(least, message).max(most, message)

/** Which logs of containers are collected, and how. */
export const LogSettings = z.strictObject({
  /** The clusters in which a collector runs. */
  environments: z.array(uuid).max(500, 'list-too-long').refine(areUnique, 'logs-twice'),
  allTeams: z.boolean(),
  /** Without `allTeams`: those whose namespaces are collected. */
  teamIds: z.array(id).max(500, 'list-too-long').refine(areUnique, 'logs-twice'),
  /** Namespaces, one a stack, that are left out. */
  excluded: z.array(dnsLabel(63)).max(200, 'list-too-long').refine(areUnique, 'logs-twice'),
  streams: z.enum(['all', 'stderr']),
  /** Whose stack traces become one record. */
  multiline: z.enum(['none', 'java', 'go', 'python']),
  /** Of one container; lines beyond are dropped. */
  linesPerSecond: integerWithin(1, 100_000, 'logs-lines-per-second'),
  image: z
    .string()
    .trim()
    .min(1, 'image-format')
    .max(600, 'image-format')
    .regex(/^[A-Za-z0-9][A-Za-z0-9._:/@-]*$/, 'image-format'),
  /** MiB of each collector. */
  memory: integerWithin(32, 4096, 'logs-memory'),
})
export type LogSettings = z.infer<typeof LogSettings>

export const CollectorState = z.enum(['waiting', 'completed', 'failed', 'off', 'removing'])

export const Collector = z.object({
  environment: z.uuid(),
  name: z.string(),
  /** waiting: to be set up; off: Kafka takes no logs; removing: no longer chosen. */
  state: CollectorState,
  /** Of the configuration that stands there; empty: none. */
  hash: z.string(),
  /** Pods, one a host; null: the cluster does not say. */
  desired: z.number().int().nullable(),
  ready: z.number().int().nullable(),
  appliedAt: z.string().nullable(),
  /** Why it could not be set up, removed or read, in the caller's language. */
  problem: z.string(),
})
export type Collector = z.infer<typeof Collector>

const Saved = LogSettings.extend({
  revision: z.number().int(),
  /** Whether Kafka is set up to take logs: without it nothing is collected. */
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
