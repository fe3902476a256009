import { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'

/** Seconds, and a figure as text: `NaN`, `+Inf` and `-Inf` are valid. */
const Sample = z.tuple([z.number(), z.string()])
const Labels = z.record(z.string(), z.string())

const MatrixResult = z.array(z.object({ metric: Labels, values: z.array(Sample).default([]) }))
const VectorResult = z.array(z.object({ metric: Labels, value: Sample.optional() }))

/** Epoch milliseconds and a figure; null where nothing can be drawn. */
export type Point = [number, number | null]
export type Matrix = { metric: Record<string, string>; points: Point[] }[]
export type Vector = { metric: Record<string, string>; value: number | null }[]

/** NaN and infinity, as from a division by zero, become null. */
export function figure(text: string): number | null {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : null
}

interface Data {
  resultType: string
  result: unknown
}

function parsed<S extends z.ZodType>({ resultType, result }: Data, wanted: string, shape: S, host: string): z.infer<S> {
  const found = resultType === wanted ? shape.safeParse(result) : undefined
  if (!found?.success) throw new Fault('badGateway', 'outbound-not-json', { host })
  return found.data
}

/** The first `limit` series: a server that returns more than requested would block other calls. */
export const matrixOf = ({ resultType, result }: Data, host: string, limit: number): Matrix =>
  parsed(
    { resultType, result: Array.isArray(result) ? result.slice(0, limit) : result },
    'matrix',
    MatrixResult,
    host,
  ).map(({ metric, values }) => ({
    metric,
    points: values.map(([seconds, text]): Point => [Math.round(seconds * 1000), figure(text)]),
  }))

export const vectorOf = (data: Data, host: string): Vector =>
  parsed(data, 'vector', VectorResult, host).map(({ metric, value }) => ({
    metric,
    value: value === undefined ? null : figure(value[1]),
  }))
