import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, idOrUuid, uuid } from '../ids.ts'
import { madeOn, Revision } from '../revision.ts'
import { httpUrl, text } from '../validators.ts'
import { secret } from '../secret.ts'
import { clusterTopic } from '../clusters/topics.ts'

/** Metrics by name; the server knows the query of each name. Units: cores, bytes, bytes per second, pods, percent. */
export const expressions = [
  'cluster_cpu_usage',
  'cluster_memory_usage',
  'cluster_cpu_percent',
  'cluster_memory_percent',
  'cluster_pods',
  'host_cpu_usage',
  'host_memory_usage',
  'host_cpu_percent',
  'host_memory_percent',
  'host_disk_percent',
  'host_network_receive',
  'host_network_transmit',
  'namespace_cpu_usage',
  'namespace_memory_usage',
  'service_cpu_usage',
  'service_memory_usage',
  'container_cpu_usage',
  'container_memory_usage',
  'container_network_receive',
  'container_network_transmit',
  'container_disk_read',
  'container_disk_write',
] as const
export const Expression = z.enum(expressions)
export type Expression = z.infer<typeof Expression>

/** Epoch milliseconds; 0: no limit. */
const time = z.coerce.number().int('range-order').min(0, 'range-order').max(9_999_999_999_999, 'range-order').default(0)

/** RANGE means start and end; the others count `duration` back from the end. */
export const RangeType = z.enum(['MINUTE', 'HOUR', 'DAY', 'WEEK', 'RANGE'])
export type RangeType = z.infer<typeof RangeType>

const minutesOf = { MINUTE: 1, HOUR: 60, DAY: 1440, WEEK: 10_080 } as const

/** The milliseconds of a duration. */
export const spanOf = (type: keyof typeof minutesOf, duration: number): number => minutesOf[type] * duration * 60_000

/**
 * The unit of a span, as specified: minutes below one hour, hours below 24 hours, days below 168 hours, then weeks.
 * Undefined for a span that is not a multiple of its unit.
 */
export function durationOf(span: number): { type: keyof typeof minutesOf; duration: number } | undefined {
  const hours = Math.floor(span / 3_600_000)
  const type = hours === 0 ? 'MINUTE' : hours < 24 ? 'HOUR' : hours < 168 ? 'DAY' : 'WEEK'
  const duration = span / spanOf(type, 1)
  return Number.isInteger(duration) && duration > 0 ? { type, duration } : undefined
}

/** The duration before the end, for queries without a start. */
const back = {
  type: RangeType.default('HOUR'),
  duration: z.coerce.number().int().min(1, 'range-order').max(10_000, 'range-order').default(1),
}

/** The time of a query: start and end, or a duration before the end. */
export const timeRange = { start: time, end: time, ...back }

/**
 * A point is [epoch milliseconds, value]; a null value is a gap: nothing was measured. `metric` identifies the series:
 * {host: 'node-1'}.
 */
export const Series = z.object({
  name: z.string(),
  type: z.string(),
  metric: z.record(z.string(), z.string()),
  dps: z.array(z.tuple([z.number(), z.number().nullable()])),
})
export type Series = z.infer<typeof Series>

export const Measured = z.object({
  expression: Expression,
  unit: z.enum(['cores', 'bytes', 'bytesPerSecond', 'pods', 'percent']),
  /** Prometheus, or the product's own sampling. */
  source: z.enum(['prometheus', 'sampled', 'none']),
  start: z.number(),
  end: z.number(),
  stepSeconds: z.number(),
  series: z.array(Series),
  /** More series match than an answer contains. */
  truncated: z.boolean(),
  /** Why there is no data, or less than requested, in the caller's language. */
  notice: z.string(),
  /** The cluster samples a limited number of containers, and not this one: containerOn gives it priority. */
  left: z.boolean(),
})
export type Measured = z.infer<typeof Measured>

const name = z
  .string()
  .max(253)
  .regex(/^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$/, 'name-dotted')

/** Prometheus of a cluster; its credentials are masked. */
export const Source = z.object({
  kind: z.enum(['prometheus', 'sampled']),
  url: z.string(),
  username: z.string(),
  password: z.string(),
  token: z.string(),
  /** If one Prometheus monitors several clusters: this cluster's value of the label `cluster`. */
  cluster: z.string(),
  revision: Revision,
})
export type Source = z.infer<typeof Source>

/** The address of a cluster's server, and the credentials for it. */
export const sourceFields = {
  url: httpUrl.or(z.literal('')).default(''),
  username: z
    .string()
    .trim()
    .max(255, 'text-too-long')
    .regex(/^[^:\p{Cc}]*$/u, 'monitoring-username-characters')
    .default(''),
  password: secret(z.string().max(500, 'text-too-long')).default(''),
  token: secret(
    z
      .string()
      .trim()
      .max(65_536, 'text-too-long')
      .regex(/^[\x21-\x7e]*$/, 'monitoring-token-characters'),
  ).default(''),
  /** If one server covers several clusters: this cluster's name there. */
  cluster: text(253).default(''),
}

/** A token, or a user name and a password, or neither. */
export const hasOneCredential = ({ token, username }: { token: string; username: string }): boolean =>
  token === '' || username === ''
export const oneCredentialSaid = { message: 'monitoring-one-credential', path: ['token'] }

export const SourceInput = z
  .strictObject({
    kind: z.enum(['prometheus', 'sampled']),
    ...sourceFields,
  })
  .refine(({ kind, url }) => kind === 'sampled' || url !== '', { message: 'monitoring-url-needed', path: ['url'] })
  .refine(hasOneCredential, oneCredentialSaid)
export type SourceInput = z.infer<typeof SourceInput>

const env = z.strictObject({ env: uuid })
const inTeam = z.strictObject({ tenant: id, env: uuid })

export const monitoring = {
  query: endpoint({
    method: 'GET',
    path: '/monitor-metrics/api/tenants/:tenant/environments/:env/:expression',
    access: { team: 'tenant', permission: 'monitor_metrics_view' },
    summary:
      'A named expression over a time: of the team’s own namespaces, services and containers, or of the cluster and its hosts. start and end in epoch milliseconds, or duration in units of type back from now',
    params: inTeam.extend({ expression: Expression }),
    query: z.strictObject({
      ...timeRange,
      host: name.optional(),
      namespace: name.optional(),
      service: id.optional(),
      pod: name.optional(),
      container: name.optional(),
    }),
    data: Measured,
  }),
  health: endpoint({
    method: 'GET',
    path: '/monitor-metrics/api/tenants/:tenant/environments/:env/health',
    access: { team: 'tenant', permission: 'monitor_metrics_view' },
    summary: 'Whether the source of metrics answers, and how new its latest figures are',
    params: inTeam,
    data: z.object({
      source: z.enum(['prometheus', 'sampled', 'none']),
      healthy: z.boolean(),
      message: z.string(),
      latest: z.string().nullable(),
    }),
  }),
  ofCluster: endpoint({
    method: 'GET',
    path: '/resource-manager/api/environments/:env/metrics/:metrics',
    access: { owner: 'environment', by: 'env', permission: 'resource_clustermetrics_view' },
    summary:
      'A named expression of the cluster, its hosts, and those of its namespaces that the caller sees; start and end in epoch milliseconds, or duration in units of type back from now; step in seconds',
    params: env.extend({ metrics: Expression }),
    query: z.strictObject({
      start: time,
      end: time,
      step: z.coerce.number().int('range-step').min(1, 'range-step').max(86_400, 'range-step').optional(),
      ...back,
      host: name.optional(),
      namespace: name.optional(),
    }),
    data: Measured,
  }),
  containerOn: endpoint({
    method: 'POST',
    path: '/monitor-metrics/api/tenants/:t/environments/:e/stacks/:s/services/:svc/containers/:i/on',
    access: { team: 't', permission: 'monitor_metrics_operate' },
    audit: 'container.monitor',
    summary:
      'Measure a container before others: a cluster that the product samples itself is sampled up to a cap. By the pod’s uid or name, or the container’s name; it holds for the service’s later pods too',
    params: z.strictObject({ t: id, e: uuid, s: idOrUuid, svc: id, i: z.string().max(253) }),
    data: z.null(),
    topics: [],
  }),
  source: endpoint({
    method: 'GET',
    path: '/resource-manager/api/environments/:env/monitoring',
    access: 'admin',
    summary: 'Where a cluster’s metrics come from',
    params: env,
    data: Source,
    topics: [clusterTopic],
  }),
  setSource: endpoint({
    method: 'PUT',
    path: '/resource-manager/api/environments/:env/monitoring',
    access: 'admin',
    audit: 'environment.monitoring',
    summary: 'Set where a cluster’s metrics come from; Prometheus is asked before it is saved',
    params: env,
    body: SourceInput.safeExtend(madeOn),
    data: Source,
    topics: [clusterTopic],
  }),
}
