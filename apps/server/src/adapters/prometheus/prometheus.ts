import { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'
import { maskEchoes } from '../../kernel/secrets/masking.ts'
import { parseJson } from '../outbound/body.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { authorization, type ReadAccess, urlUnder } from '../outbound/read-api.ts'
import { createBreakers, isTransient } from '../outbound/resting.ts'
import { matrixOf, vectorOf, type Matrix, type Vector } from './values.ts'

/** Access to a Prometheus, or to another server of its query API (Thanos, Mimir, VictoriaMetrics). */
export type PrometheusAccess = ReadAccess

export interface RangeQuery {
  query: string
  /** Epoch milliseconds. */
  start: number
  end: number
  stepSeconds: number
  /** Maximum series. A Prometheus before 2.54 ignores it and sends all. */
  limit: number
}

/**
 * The query API. Each call ends within 5 s. Faults name the cause: `prometheus-credentials`, `prometheus-forbidden`,
 * `prometheus-not-one`, `prometheus-refused`, `prometheus-slow`, `prometheus-error`, `prometheus-resting`, and the
 * `outbound-…` ones.
 */
export interface Prometheus {
  range(access: PrometheusAccess, query: RangeQuery, signal?: AbortSignal): Promise<Matrix>
  /** The present values. */
  instant(access: PrometheusAccess, query: string, signal?: AbortSignal): Promise<Vector>
  /** Whether it answers with these credentials. One attempt, regardless of the breaker: a user is waiting at a form. */
  verify(access: PrometheusAccess, signal?: AbortSignal): Promise<void>
}

const budgetMs = 5000
const maxAnswerBytes = 8 * 1_048_576

const Answer = z.union([
  z.object({ status: z.literal('success'), data: z.object({ resultType: z.string(), result: z.unknown() }) }),
  z.object({ status: z.literal('error'), errorType: z.string(), error: z.string() }),
])

/** The API below the path of the address. */
export const apiUrl = (base: string, path: string): URL => urlUnder(base, `api/v1/${path}`)

/** Shortens the server's own text to one line. */
const shortFor =
  ({ password, token }: PrometheusAccess) =>
  (said: string): string =>
    maskEchoes(said, [password, token]).replaceAll(/\s+/g, ' ').slice(0, 300)

function refusalOf(status: number, text: string, host: string, short: (said: string) => string): Fault {
  if (status === 401) return new Fault('badGateway', 'prometheus-credentials', { host })
  if (status === 403) return new Fault('badGateway', 'prometheus-forbidden', { host })
  if (status === 404 || status === 405) return new Fault('badGateway', 'prometheus-not-one', { host })
  const problem = errorIn(text)
  if (problem?.errorType === 'timeout' || problem?.errorType === 'canceled')
    return new Fault('unavailable', 'prometheus-slow', { host })
  if (problem && status < 500)
    return new Fault('badGateway', 'prometheus-refused', { host, reason: short(problem.error) })
  return new Fault('unavailable', 'prometheus-error', { host, status, reason: short(problem?.error ?? '') || '–' })
}

function errorIn(text: string): { errorType: string; error: string } | undefined {
  try {
    const answer = Answer.safeParse(JSON.parse(text))
    return answer.success && answer.data.status === 'error' ? answer.data : undefined
  } catch {
    return undefined
  }
}

/** Transient failures: they count towards the breaker. */
const passing = (fault: Fault): boolean =>
  fault.key === 'prometheus-slow' || fault.key === 'prometheus-error' || isTransient(fault)

export function createPrometheus(outbound: Outbound, now: () => number = Date.now): Prometheus {
  const { unlessResting, forget } = createBreakers({ says: 'prometheus-resting', passing, now })

  /** Sends the query as a form, which all servers of this API accept: over many namespaces it can be long. */
  async function once(access: PrometheusAccess, path: string, form: Record<string, string>, signal?: AbortSignal) {
    const url = apiUrl(access.url, path)
    const { status, text } = await outbound.requestText({
      url,
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        ...authorization(access),
      },
      body: new URLSearchParams({ ...form, timeout: `${budgetMs - 500}ms` }).toString(),
      timeout: budgetMs,
      maxBytes: maxAnswerBytes,
      redirect: 'manual',
      ...(signal && { signal }),
    })
    if (status >= 300 && status < 400) throw new Fault('badGateway', 'outbound-redirect', { host: url.host })
    const short = shortFor(access)
    if (status !== 200) throw refusalOf(status, text, url.host, short)
    const answer = parseJson(text, Answer, url.host)
    if (answer.status === 'error')
      throw new Fault('badGateway', 'prometheus-refused', { host: url.host, reason: short(answer.error) })
    return answer.data
  }

  const instant = (access: PrometheusAccess, query: string, signal?: AbortSignal): Promise<Vector> =>
    once(access, 'query', { query }, signal).then((data) => vectorOf(data, new URL(access.url).host))

  return {
    range: (access, { query, start, end, stepSeconds, limit }, signal) =>
      unlessResting(access.url, async () => {
        const times = { start: String(start / 1000), end: String(end / 1000), step: String(stepSeconds) }
        const form = { query, ...times, limit: String(limit) }
        return matrixOf(await once(access, 'query_range', form, signal), new URL(access.url).host, limit)
      }),
    instant: (access, query, signal) => unlessResting(access.url, () => instant(access, query, signal)),
    verify: async (access, signal) => {
      await instant(access, 'vector(1)', signal)
      forget(access.url)
    },
  }
}
