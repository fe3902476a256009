import type { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'
import { parseJson } from './body.ts'
import type { Outbound } from './outbound.ts'
import { createBreakers, isTransient } from './resting.ts'

/** A server of metrics, traces or a service mesh. A token takes precedence over a password. */
export interface ReadAccess {
  /** Includes the path under which it is served, if there is one. */
  url: string
  username: string
  password: string
  token: string
}

export interface Reading {
  /** Below the path of the address. */
  path: string
  query?: Record<string, string>
  headers?: Record<string, string>
  timeout?: number
  signal?: AbortSignal | undefined
}

/** The most that a silent server costs a page. */
export const budgetMs = 5000
const maxAnswerBytes = 8 * 1_048_576

export const authorization = ({ username, password, token }: ReadAccess): Record<string, string> => {
  if (token !== '') return { authorization: `Bearer ${token}` }
  if (username === '') return {}
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}

export function urlUnder(base: string, path: string, query: Record<string, string> = {}): URL {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`
  url.search = new URLSearchParams(query).toString()
  url.hash = ''
  return url
}

const passing = (fault: Fault): boolean => fault.key === 'tracing-error' || isTransient(fault)

/**
 * Reads JSON from such a server. Its error texts are not repeated: they may echo the credentials. Faults:
 * `tracing-credentials`, `tracing-forbidden`, `tracing-not-one`, `tracing-error`, `tracing-resting`, and the
 * `outbound-…` ones.
 */
export function createReadApi(outbound: Outbound, server: string, now: () => number) {
  const { unlessResting, forget } = createBreakers({ says: 'tracing-resting', passing, now })

  /** Returns the answer whatever its status, because only the caller knows what 401 and 404 mean. */
  async function ask(access: ReadAccess, { path, query, headers, timeout = budgetMs, signal }: Reading) {
    const url = urlUnder(access.url, path, query)
    const { status, text } = await outbound.requestText({
      url,
      headers: { accept: 'application/json', ...authorization(access), ...headers },
      timeout,
      maxBytes: maxAnswerBytes,
      redirect: 'manual',
      ...(signal && { signal }),
    })
    return { status, text, host: url.host }
  }

  function parsed<S extends z.ZodType>({ status, text, host }: Awaited<ReturnType<typeof ask>>, shape: S): z.infer<S> {
    if (status >= 300 && status < 400) throw new Fault('badGateway', 'outbound-redirect', { host })
    if (status === 401) throw new Fault('badGateway', 'tracing-credentials', { server, host })
    if (status === 403) throw new Fault('badGateway', 'tracing-forbidden', { server, host })
    if (status === 404 || status === 405) throw new Fault('badGateway', 'tracing-not-one', { server, host })
    if (status !== 200) throw new Fault('unavailable', 'tracing-error', { server, host, status })
    return parseJson(text, shape, host)
  }

  return {
    ask,
    parsed,
    /** Under the breaker, for the calls of a page. */
    unlessResting: <T>(access: ReadAccess, work: () => Promise<T>) => unlessResting(access.url, work, { server }),
    /** Regardless of the breaker, because a user is waiting at a form. */
    async verified<T>(access: ReadAccess, work: () => Promise<T>): Promise<T> {
      const result = await work()
      forget(access.url)
      return result
    },
  }
}
