import { z } from 'zod'

/** A list that Go may omit or write as null. */
const listOf = <S extends z.ZodType>(shape: S) =>
  z
    .array(shape)
    .nullish()
    .transform((list) => list ?? [])

const Tag = z.object({ key: z.string(), value: z.unknown() })

const RawSpan = z.object({
  spanID: z.string(),
  operationName: z.string().default(''),
  references: listOf(z.object({ refType: z.string(), traceID: z.string(), spanID: z.string() })),
  startTime: z.number(),
  duration: z.number(),
  tags: listOf(Tag),
  logs: listOf(z.object({ timestamp: z.number(), fields: listOf(Tag) })),
  processID: z.string().default(''),
  process: z.object({ serviceName: z.string(), tags: listOf(Tag) }).nullish(),
})

const RawTrace = z.object({
  traceID: z.string(),
  spans: listOf(RawSpan),
  processes: z.record(z.string(), z.object({ serviceName: z.string(), tags: listOf(Tag) })).nullish(),
})

export const TracesAnswer = z.object({ data: listOf(RawTrace) })
export const NamesAnswer = z.object({ data: listOf(z.string()) })

export interface Named {
  key: string
  value: string
}

/** A span as Jaeger returns it; times in microseconds since 1970. */
export interface JaegerSpan {
  id: string
  parent: string | null
  service: string
  operation: string
  start: number
  duration: number
  tags: Named[]
  process: Named[]
  logs: { at: number; fields: Named[] }[]
}

export interface JaegerTrace {
  traceId: string
  /** Sorted by their start. */
  spans: JaegerSpan[]
}

/** Values are for people to read, so a long one, such as a body in a tag, is truncated. */
const longestValue = 4000

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, longestValue)

const toAttributes = (tags: readonly z.infer<typeof Tag>[]): Named[] =>
  tags.map(({ key, value }) => ({ key, value: textOf(value) }))

/** The span that called this one: the one that it is a child of, or else that it follows from. */
function parentOf({ references }: z.infer<typeof RawSpan>, traceId: string): string | null {
  const within = references.filter((one) => one.traceID === traceId)
  return (within.find(({ refType }) => refType === 'CHILD_OF') ?? within[0])?.spanID ?? null
}

export function tracesOf({ data }: z.infer<typeof TracesAnswer>): JaegerTrace[] {
  return data.map(({ traceID, spans, processes }) => ({
    traceId: traceID,
    spans: spans
      .map((span): JaegerSpan => {
        const process = processes?.[span.processID] ?? span.process
        return {
          id: span.spanID,
          parent: parentOf(span, traceID),
          service: process?.serviceName ?? '',
          operation: span.operationName,
          start: span.startTime,
          duration: Math.max(0, span.duration),
          tags: toAttributes(span.tags),
          process: toAttributes(process?.tags ?? []),
          logs: span.logs.map(({ timestamp, fields }) => ({ at: timestamp, fields: toAttributes(fields) })),
        }
      })
      .sort((a, b) => a.start - b.start),
  }))
}
