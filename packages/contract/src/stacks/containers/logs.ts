import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { id, uuid } from '../../ids.ts'
import { dnsLabel } from '../../validators.ts'

/** One run of one container, among those that are followed or searched together. */
export const LogSource = z.object({
  /** The number that marks its lines. */
  n: z.number().int(),
  pod: z.string(),
  container: z.string(),
  role: z.enum(['main', 'init', 'sidecar', 'debug']),
  /** The run before its last restart. */
  previous: z.boolean(),
  state: z.enum(['connecting', 'open', 'waiting', 'ended']),
  /** Why it does not run yet, in the caller's language. */
  reason: z.string(),
})
export type LogSource = z.infer<typeof LogSource>

const LogLine = z.object({ at: z.string(), text: z.string() })

/** A pod, or one container of it as `pod/container`; empty: all. */
export const ofPod = z.string().max(320).default('')

/**
 * Websocket (ticket): follows the logs of all pods of a service, merged by time, init containers and the run before the
 * last restart included. Frames are JSON: {sources: LogSource[], left} when the set of followed logs changes (`left`:
 * how many beyond 50); {lines: [n, at, text][]} with the source's number; {end: reason} as the last one.
 */
export const followServicePath = '/orchestration/api/:teamId/env/:envId/service/:id/log/follow'

export const maxFound = 1000

export const serviceLogs = {
  search: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/env/:envId/service/:id/log/search',
    access: { team: 'teamId', permission: 'stack_container_view' },
    summary: 'The last lines with a text in all that the cluster keeps of the logs of a service, by time',
    params: z.strictObject({ teamId: id, envId: uuid, id }),
    query: z.strictObject({
      text: z.string().min(1, 'text-required').max(200),
      pod: ofPod,
      quantity: z.coerce.number().int().min(1).max(maxFound).default(200),
    }),
    data: z.object({
      lines: z.array(LogLine.extend({ pod: z.string(), container: z.string(), previous: z.boolean() })),
      /** The number of lines with the text, and of lines searched. */
      found: z.number().int(),
      read: z.number().int(),
      /** Logs that could not be read to their end in time, as `pod/container`. */
      unread: z.array(z.string()),
    }),
  }),
}

const time = z.coerce.number().int().min(0).max(8_640_000_000_000_000)

/** Encodings of log files whose lines end with a newline of one byte. */
export const encodings = ['utf-8', 'gbk', 'gb18030', 'big5', 'shift_jis', 'euc-kr', 'iso-8859-1'] as const

const lines = z.coerce.number().int().min(-100_000).max(100_000)

/**
 * The part of a log to read. By default: its last `quantity` lines. `offset` counts from the beginning or the end
 * (`whence`), in lines of a container's log or in bytes of a file (`path`); from there it reads forward or backward. Or
 * the lines from `offsetFrom` up to `offsetTo`, counted from a reference line: line `referenceLineNum` of those at
 * `referenceTimestamp`, which is a time (epoch milliseconds, RFC 3339), `newest` or `oldest`.
 */
export const logQuery = z
  .strictObject({
    path: z.string().max(4096).optional(),
    offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
    whence: z.enum(['start', 'end']).optional(),
    direction: z.enum(['forward', 'backward']).optional(),
    quantity: z.coerce.number().int().min(1).max(5000).default(500),
    encoding: z.enum(encodings).default('utf-8'),
    /** The run before the last restart. */
    previous: z.enum(['true', 'false']).default('false'),
    /** Which part of a log is searched if it is too long to be searched completely. */
    logFilePosition: z.enum(['beginning', 'end']).default('end'),
    offsetFrom: lines.optional(),
    offsetTo: lines.optional(),
    referenceLineNum: lines.default(0),
    /** Alone: only lines after this time; 0: no limit. */
    referenceTimestamp: z.union([time, z.enum(['newest', 'oldest']), z.iso.datetime({ offset: true })]).default(0),
    stack_name: z.string().max(63).optional(),
  })
  .refine(({ offsetFrom, offsetTo }) => (offsetFrom === undefined) === (offsetTo === undefined), {
    error: 'log-range-half',
    path: ['offsetTo'],
  })
  .refine(({ offsetFrom = 0, offsetTo = 1 }) => offsetTo > offsetFrom && offsetTo - offsetFrom <= 5000, {
    error: 'log-range-invalid',
    path: ['offsetTo'],
  })
export type LogQuery = z.output<typeof logQuery>

export const LogPart = z.object({
  lines: z.array(LogLine),
  /** There are older lines than these. */
  truncated: z.boolean(),
  /** For a file: the byte range of these lines, from `from` up to `to`, and the file's size. */
  file: z.object({ path: z.string(), from: z.number(), to: z.number(), size: z.number() }).nullable(),
})
export type LogPart = z.infer<typeof LogPart>

export const LogFile = z.object({
  container: dnsLabel(),
  path: z.string(),
  size: z.number(),
  changedAt: z.string(),
})
