import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { timeRange } from '../monitoring/metrics.ts'
import { ServiceType, StackName } from '../stacks/spec.ts'
import { clusterTopic } from '../clusters/topics.ts'

/**
 * Traces of a stack: those with a span in its namespace. A span in a namespace of another team is shown with its
 * position and duration, without names, tags or logs.
 */

const Pair = z.object({ key: z.string(), value: z.string() })
export type TracePair = z.infer<typeof Pair>

export const TraceSummary = z.object({
  traceId: z.string(),
  startedAt: z.string(),
  /** Microseconds, like all durations of traces. */
  duration: z.number(),
  /** Its first span; empty if that is not the team's. */
  root: z.object({ service: z.string(), operation: z.string() }),
  /** The team's own services, most spans first. */
  services: z.array(z.object({ name: z.string(), spans: z.number() })),
  spans: z.number(),
  /** The number of spans of others. */
  hidden: z.number(),
  /** The number of the team's own failed spans. */
  errors: z.number(),
})
export type TraceSummary = z.infer<typeof TraceSummary>

/** Why there is no data, or less than requested, in the caller's language; `unset`: the cluster has no such server. */
const answered = { unset: z.boolean(), notice: z.string() }

export const Traces = z.object({
  ...answered,
  /** Newest first. */
  items: z.array(TraceSummary),
  /** There are more traces in this period than requested. */
  truncated: z.boolean(),
  start: z.string(),
  end: z.string(),
})
export type Traces = z.infer<typeof Traces>

/** The team's service to which a span belongs. */
const SpanPlace = z.object({
  envId: z.string(),
  stackId: z.number(),
  stackUuid: z.string(),
  stackName: z.string(),
  id: z.number(),
  name: z.string(),
  type: ServiceType,
})

export const Span = z.object({
  id: z.string(),
  /** Null: no other span of the trace called it. */
  parent: z.string().nullable(),
  /** Microseconds after the start of the trace. */
  offset: z.number(),
  duration: z.number(),
  /** It belongs to another team, or its owner is unknown: only its position is shown. */
  hidden: z.boolean(),
  service: z.string(),
  operation: z.string(),
  namespace: z.string(),
  pod: z.string(),
  error: z.boolean(),
  tags: z.array(Pair),
  process: z.array(Pair),
  logs: z.array(z.object({ offset: z.number(), fields: z.array(Pair) })),
  place: SpanPlace.nullable(),
})
export type Span = z.infer<typeof Span>

export const Trace = z.object({
  traceId: z.string(),
  startedAt: z.string(),
  duration: z.number(),
  /** Ordered by their start. */
  spans: z.array(Span),
  /** The trace has more spans than the answer. */
  truncated: z.boolean(),
})
export type Trace = z.infer<typeof Trace>

/** `http.status_code=500`, several separated by spaces; a value with spaces in quotes. */
const tagPattern = /([^\s="]+)=(?:"([^"]*)"|([^\s"]*))(?:\s+|$)/gy

/** The tags of a filter; undefined if it is invalid. */
export function tagsIn(given: string): Record<string, string> | undefined {
  const trimmed = given.trim()
  const found = [...trimmed.matchAll(tagPattern)]
  const length = found.reduce((sum, [all]) => sum + all.length, 0)
  if (length !== trimmed.length || found.length > 10) return undefined
  return Object.fromEntries(found.map(([, key = '', quoted, plain]) => [key, quoted ?? plain ?? '']))
}

const microseconds = z.coerce
  .number()
  .int('tracing-duration')
  .min(0, 'tracing-duration')
  .max(86_400_000_000, 'tracing-duration')
const name = z.string().max(300, 'text-too-long')
const ofStack = z.strictObject({ teamId: id, envId: uuid, stackName: StackName })
const access = { team: 'teamId', permission: ['stack_stack_view', 'stack_service_view'] } as const

export const traces = {
  list: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/env/:envId/stacks/:stackName/traces',
    access,
    summary:
      'Traces with spans of a stack, newest first. start and end in epoch milliseconds, or duration in units of type back from now; minDuration and maxDuration in microseconds; tags as key=value, apart by spaces',
    params: ofStack,
    query: z
      .strictObject({
        ...timeRange,
        service: name.default(''),
        operation: name.default(''),
        status: z.enum(['any', 'error']).default('any'),
        minDuration: microseconds.default(0),
        maxDuration: microseconds.default(0),
        tags: z
          .string()
          .max(1000, 'text-too-long')
          .default('')
          .refine((given) => tagsIn(given) !== undefined, 'tracing-tags'),
        limit: z.coerce.number().int('tracing-limit').min(1, 'tracing-limit').max(100, 'tracing-limit').default(20),
      })
      .refine(({ minDuration, maxDuration }) => maxDuration === 0 || minDuration <= maxDuration, {
        message: 'tracing-duration-order',
        path: ['maxDuration'],
      }),
    data: Traces,
    topics: [clusterTopic],
  }),
  services: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/env/:envId/stacks/:stackName/traces/services',
    access,
    summary: 'The services of a stack that have traces, as their spans call them',
    params: ofStack,
    data: z.object({ ...answered, names: z.array(z.string()) }),
    topics: [clusterTopic],
  }),
  operations: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/env/:envId/stacks/:stackName/traces/operations',
    access,
    summary: 'The operations of a service of a stack in traces of the last day',
    params: ofStack,
    query: z.strictObject({ service: name.min(1, 'name-required') }),
    data: z.object({ ...answered, names: z.array(z.string()) }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/env/:envId/stacks/:stackName/traces/:traceId',
    access,
    summary: 'One trace with its spans, if one of them is the team’s',
    params: ofStack.extend({
      traceId: z
        .string()
        .max(32, 'tracing-id')
        .regex(/^[0-9a-f]{1,32}$/, 'tracing-id'),
    }),
    data: z.object({ ...answered, trace: Trace.nullable() }),
  }),
}
