import { z } from 'zod'
import type { Outbound } from '../outbound/outbound.ts'
import { createReadApi, type ReadAccess } from '../outbound/read-api.ts'
import { type JaegerTrace, NamesAnswer, TracesAnswer, tracesOf } from './answers.ts'

export interface TraceSearch {
  service: string
  operation?: string
  tags?: Record<string, string>
  /** Microseconds; 0: no limit. */
  minDuration?: number
  maxDuration?: number
  /** Epoch milliseconds. */
  start: number
  end: number
  limit: number
}

/** Jaeger's query API, as its own page uses it. Each call ends within 5 s; the faults are those of `createReadApi`. */
export interface Jaeger {
  services(access: ReadAccess, signal?: AbortSignal): Promise<string[]>
  /** Whole traces, newest first. */
  search(access: ReadAccess, search: TraceSearch, signal?: AbortSignal): Promise<JaegerTrace[]>
  /** Undefined if Jaeger has no trace with this id. */
  trace(access: ReadAccess, traceId: string, signal?: AbortSignal): Promise<JaegerTrace | undefined>
  /** Reads the list of services. Makes one attempt, regardless of the breaker: a user is waiting at a form. */
  verify(access: ReadAccess, signal?: AbortSignal): Promise<{ version: string }>
}

/** Jaeger's own 404; other servers may also answer 404, but not with this body. */
const NotFound = z.object({ errors: z.array(z.object({ code: z.number() })).min(1) })

const isNotFound = (text: string): boolean => {
  try {
    return NotFound.safeParse(JSON.parse(text)).success
  } catch {
    return false
  }
}

const startOf = ({ spans }: JaegerTrace): number => spans[0]?.start ?? 0

export function createJaeger(outbound: Outbound, now: () => number = Date.now): Jaeger {
  const api = createReadApi(outbound, 'Jaeger', now)

  const names = async (access: ReadAccess, signal?: AbortSignal): Promise<string[]> =>
    api.parsed(await api.ask(access, { path: 'api/services', signal }), NamesAnswer).data

  return {
    services: (access, signal) => api.unlessResting(access, () => names(access, signal)),
    search: (access, { service, operation = '', tags = {}, minDuration = 0, maxDuration = 0, ...more }, signal) =>
      api.unlessResting(access, async () => {
        const query = {
          service,
          ...(operation !== '' && { operation }),
          ...(Object.keys(tags).length > 0 && { tags: JSON.stringify(tags) }),
          ...(minDuration > 0 && { minDuration: `${minDuration}us` }),
          ...(maxDuration > 0 && { maxDuration: `${maxDuration}us` }),
          start: String(more.start * 1000),
          end: String(more.end * 1000),
          limit: String(more.limit),
        }
        const answer = api.parsed(await api.ask(access, { path: 'api/traces', query, signal }), TracesAnswer)
        return tracesOf(answer).sort((a, b) => startOf(b) - startOf(a))
      }),
    trace: (access, traceId, signal) =>
      api.unlessResting(access, async () => {
        const answer = await api.ask(access, { path: `api/traces/${traceId}`, signal })
        if (answer.status === 404 && isNotFound(answer.text)) return undefined
        return tracesOf(api.parsed(answer, TracesAnswer))[0]
      }),
    verify: (access, signal) =>
      api.verified(access, async () => {
        await names(access, signal)
        // the query API does not report a version
        return { version: '' }
      }),
  }
}
