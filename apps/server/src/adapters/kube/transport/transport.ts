import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { mustBeOutsideTransaction } from '../../../kernel/outside.ts'
import { ask, closed, tell } from '../../outbound/breaker.ts'
import { authHeaders, dialling, identityHeaders, openLine, target, withoutCredentials } from './connection.ts'
import type { Admit, Dialled, Identity, Lane, Line, Query } from './connection.ts'
import { answerError, isKube, isOutage, KubeError, networkError, retryAfterIn } from '../errors.ts'
import type { KubeKind } from '../errors.ts'
import type { ClusterAddress } from './kubeconfig.ts'
import { openConnectionLimits } from './connection-limits.ts'
import { readList } from '../cache/list-body.ts'
import { waits } from '../waits.ts'
import type { Tunnels } from '../tunnel/tunnels.ts'

export interface KubeRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the server's path, already encoded: `/api/v1/pods`. */
  path: string
  query?: Query | undefined
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged instead of `body`. */
  bytes?: Buffer | undefined
  contentType?: string
  /** The accepted content type. Default: JSON. */
  accept?: string
  identity?: Identity | undefined
  /** Milliseconds until the whole answer has arrived (5,000), or for a stream, until its headers have. */
  budget?: number | undefined
  /** Maximum bytes of an answer that is read as a whole. Default: 16 MiB. */
  limit?: number | undefined
  signal?: AbortSignal | undefined
}

/** Whether the cluster works. `kind` is the reason if not; `since` is epoch ms of the last change. */
export interface Health {
  state: 'unknown' | 'up' | 'down'
  kind?: KubeKind
  message?: string
  since: number
}

/** One finished request, for metrics. `status` is 0 where there was no answer. */
export interface Observed {
  method: string
  status: number
  kind: KubeKind | 'ok' | 'aborted'
  seconds: number
}

export interface TransportOptions {
  admit: Admit
  /** PEM of CAs to trust in addition to the system's, if the address names none. */
  rootCa?: readonly string[] | undefined
  /** For clusters that are only reached through their agents. */
  tunnels?: Tunnels | undefined
  onRequest?: (request: Observed) => void
  onHealth?: (health: Health) => void
  /** Called before each request that may change the cluster; throws if the cluster must not be changed. */
  beforeWrite?: () => Promise<void>
  /** Called for a new connection of calls, which may lead elsewhere than earlier ones. */
  onConnect?: () => void
}

/** An answer as it arrived. */
export interface Passed {
  status: number
  contentType: string
  body: Readable
}

export interface Transport {
  /** Host and port of the API server. */
  readonly server: string
  /** Masks the credentials in a text from the cluster. */
  hide: (text: string) => string
  /** The answer to a request as JSON; throws KubeError. */
  json: <T>(request: KubeRequest) => Promise<T>
  /** Like `json`, for a list: read object by object, so that a large one does not block other calls. */
  list: <T>(request: KubeRequest) => Promise<T>
  /** An open answer, which must be read or destroyed. Its reader sees its end or failure; the signal ends it too. */
  stream: (lane: 'watches' | 'sessions', request: KubeRequest) => Promise<Readable>
  /** Any answer of the cluster, for a program that makes its own calls. The body must be read or destroyed. */
  pass: (request: KubeRequest) => Promise<Passed>
  /** Checks the address and returns how to connect by other means. `leave` must be called, to free its place. */
  dial: (request: Pick<KubeRequest, 'path' | 'query' | 'identity' | 'signal'>) => Promise<Dialled>
  health: () => Health
  /** The cluster can be reached again: resets the breaker and the pauses. */
  revive: () => void
  /** Uses other credentials or another address from now on; requests in flight end on the old ones. */
  replace: (address: ClusterAddress) => void
  /** Only changes the cluster's name in messages. */
  rename: (name: string) => void
  close: () => Promise<void>
}

const sizeLimit = 16 * 1024 * 1024

const now = () => Date.now()

/** Paths that the API server forwards to another server: a metrics server, the kubelet of a host. */
const passedOn = /^\/apis\/metrics\.k8s\.io\/|^\/api\/v1\/nodes\/[^/]+\/proxy\/|\/pods\/[^/]+\/log$/

/** A host that is down, or a metrics server that hangs, does not affect the health of the API server in front of it. */
const isOfAnother = (path: string, { kind }: KubeError): boolean =>
  (kind === 'server' || kind === 'timeout' || kind === 'protocol') && passedOn.test(path)

/** Questions about the caller and its rights are POSTs that change nothing. */
const mayChange = ({ method, path }: KubeRequest): boolean =>
  method !== 'GET' && !/^\/apis\/auth(entic|oriz)ation\.k8s\.io\//.test(path)

/** Turns an answer into a result. An answer that stays open calls `stays` before it is returned. */
type Use<T> = (answer: Dispatcher.ResponseData, stays: () => void) => Promise<T>

interface Attempt extends KubeRequest {
  /** The first attempt, which may be retried once. */
  first?: boolean
  /** Returns any status, also refusals, as an answer. */
  anyStatus?: boolean
}

/** The server has just closed a kept connection: a GET is retried, and only the retry's outcome counts. */
const goesAgain = ({ first = false, method }: Attempt, { kind }: KubeError): boolean =>
  first && kind === 'reset' && method === 'GET'

/** Failures that do not affect the health of the API server. */
const saysNothing = (request: Attempt, error: KubeError): boolean =>
  error.kind === 'busy' || isOfAnother(request.path, error) || goesAgain(request, error)

/** undici notices an abort only once it is connected; a hanging connection must not outlive the budget. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

async function readWhole(body: AsyncIterable<Buffer>, limit: number, server: string): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limit) throw new KubeError('too-large', server, `the answer is larger than ${limit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size).toString('utf8')
}

/** Connections, budgets, errors and the circuit breaker of one cluster. Holds sockets: close it. */
export function openTransport(first: ClusterAddress, options: TransportOptions): Transport {
  const lineTo = (address: ClusterAddress): Line => {
    const made = openLine(address, options.admit, options.rootCa, options.tunnels)
    if (options.onConnect) made.pools.calls.on('connect', options.onConnect)
    return made
  }
  let line = lineTo(first)
  let breaker = closed
  let health: Health = { state: 'unknown', since: now() }
  /** A cluster that answered 429 gets no requests until this time. */
  let holdUntil = 0
  let over = false
  const take = openConnectionLimits(() => line.host)

  const setHealth = (state: 'up' | 'down', error?: KubeError) => {
    if (health.state === state && health.kind === error?.kind) return
    health = { state, since: now(), ...(error && { kind: error.kind, message: error.message }) }
    options.onHealth?.(health)
  }

  const refuse = (kind: KubeKind, message: string, wait: number) =>
    new KubeError(kind, line.host, message, { retryAfter: Math.max(1, Math.ceil(wait / 1000)), resting: true })

  const resting = (wait: number) =>
    refuse(health.kind ?? 'refused', health.message ?? 'the cluster failed a moment ago', wait)

  /** Throws if the request must not be sent. Returns whether it is the breaker's probe. */
  function enter(): boolean {
    if (over) throw new KubeError('reset', line.host, 'the cluster was removed')
    const { pass, wait, next } = ask(breaker, now())
    if (!pass) throw resting(wait)
    const probe = next.trying && !breaker.trying
    breaker = next
    return probe
  }

  /** Records a request's outcome for breaker, health and metrics, and returns its error. */
  function leave(
    request: Attempt,
    { probe, began, on }: { probe: boolean; began: number; on: Line },
    status: number,
    error?: unknown,
  ): unknown {
    const kube = error instanceof KubeError ? error : undefined
    const aborted = error !== undefined && !kube
    // an outcome on a replaced line does not affect the new one
    if (on === line) {
      const unknown = aborted || (kube !== undefined && saysNothing(request, kube))
      const outage = kube !== undefined && isOutage(kube) && !unknown
      const ours = kube?.kind === 'blocked' || kube?.kind === 'agent'
      breaker = tell(breaker, outage ? 'failure' : unknown || ours ? 'neither' : 'success', probe, now(), Math.random())
      if (kube?.kind === 'throttled' && kube.retryAfter && !request.path.endsWith('/eviction'))
        holdUntil = Math.max(holdUntil, now() + Math.min(kube.retryAfter, 60) * 1000)
      if (outage || ours || isKube(kube, 'credentials', 'anonymous')) setHealth('down', kube)
      else if (!unknown) setHealth('up')
    }
    options.onRequest?.({
      method: request.method,
      status,
      kind: kube?.kind ?? (aborted ? 'aborted' : 'ok'),
      seconds: (now() - began) / 1000,
    })
    return error
  }

  function headersOf(request: KubeRequest): string[] {
    const pairs: [string, string][] = [
      ['Accept', request.accept ?? 'application/json'],
      ['User-Agent', 'gantry'],
      ...authHeaders(line),
      ...identityHeaders(request.identity),
    ]
    if (request.body !== undefined || request.bytes !== undefined)
      pairs.push(['Content-Type', request.contentType ?? 'application/json'])
    return pairs.flat()
  }

  /**
   * Waits for a turn in its lane and sends, within one budget. Time in the product's own queue does not count against
   * the cluster: a request that spent most of the budget there fails as `busy`, never as an outage.
   */
  async function exchange<T>(request: Attempt, lane: Lane, use: Use<T>): Promise<T> {
    mustBeOutsideTransaction(line.host)
    request.signal?.throwIfAborted()
    const { budget = waits.call } = request
    const began = now()
    let waited: number | undefined
    const late = () =>
      (waited ?? budget) > budget / 2
        ? new KubeError('busy', line.host, `no turn within ${budget} ms`)
        : new KubeError('timeout', line.host, `no answer within ${budget} ms`)
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(late()), budget)
    const given = () => stop.abort(request.signal?.reason)
    request.signal?.addEventListener('abort', given, { once: true })
    let leaveLane = () => {}
    let streaming = false
    const end = () => {
      request.signal?.removeEventListener('abort', given)
      leaveLane()
    }
    try {
      const turn = await take(lane, request.identity, stop.signal)
      leaveLane = turn.leave
      waited = turn.queued ? now() - began : 0
      stop.signal.throwIfAborted()
      return await send(request, lane, stop.signal, (answer) =>
        use(answer, () => {
          // the stream keeps the signal and its place in the lane until it closes
          streaming = !answer.body.closed
          answer.body.once('close', end)
        }),
      )
    } finally {
      clearTimeout(timer)
      if (!streaming) end()
    }
  }

  /** One exchange: `use` turns a 2xx answer into the result; everything else becomes an error. */
  async function send<T>(
    request: Attempt,
    lane: Lane,
    signal: AbortSignal,
    use: (answer: Dispatcher.ResponseData) => Promise<T>,
  ): Promise<T> {
    const on = line
    const headers = headersOf(request)
    const entered = { probe: enter(), began: now(), on }
    const server = on.host
    let status = 0
    try {
      const sent = on.pools[lane].request({
        method: request.method,
        path: target(on.base, request.path, request.query),
        headers,
        body: request.bytes ?? (request.body === undefined ? null : JSON.stringify(request.body)),
        signal,
      })
      const answer = await orAborted(sent, signal)
      status = answer.statusCode
      if ((status < 200 || status > 299) && request.anyStatus !== true) {
        const text = await readWhole(answer.body, 256 * 1024, server).catch((error: unknown) => {
          if (error instanceof KubeError && error.kind === 'too-large') return ''
          throw error
        })
        const header = answer.headers['retry-after']
        throw answerError({ server, hide: (said) => withoutCredentials(on, said) }, status, text, {
          retryAfter: retryAfterIn(typeof header === 'string' ? header : undefined),
          impersonated: request.identity !== undefined,
        })
      }
      const result = await use(answer)
      leave(request, entered, status)
      return result
    } catch (error) {
      throw leave(request, entered, status, signal.aborted ? signal.reason : networkError(error, server))
    }
  }

  /** Waits for a 429's Retry-After if it fits into the budget; otherwise refuses at once. */
  async function hold(left: number, signal: AbortSignal | undefined): Promise<void> {
    const wait = holdUntil - now()
    if (wait <= 0) return
    if (wait > left / 2) throw refuse('throttled', 'the cluster asks to wait', wait)
    await new Promise((resolve) => setTimeout(resolve, wait))
    signal?.throwIfAborted()
  }

  /** Sends a request and, where that is safe, retries it once, both within its budget. */
  async function patiently<T>(request: KubeRequest, once: (request: Attempt) => Promise<T>): Promise<T> {
    const end = now() + (request.budget ?? waits.call)
    const left = () => Math.max(1, end - now())
    await hold(left(), request.signal)
    try {
      return await once({ ...request, budget: left(), first: true })
    } catch (error) {
      if (!(error instanceof KubeError) || error.resting) throw error
      const stale = goesAgain({ ...request, first: true }, error)
      // The server counts before it works, so nothing was done. An eviction's 429 is an answer, not a rate limit.
      const early = error.kind === 'throttled' && error.retryAfter !== undefined && !request.path.endsWith('/eviction')
      if (!stale && !early) throw error
      await hold(left(), request.signal)
      return once({ ...request, budget: left() })
    }
  }

  return {
    hide: (text) => withoutCredentials(line, text),
    get server() {
      return line.host
    },
    json: async <T>(request: KubeRequest) => {
      if (mayChange(request)) await options.beforeWrite?.()
      return patiently(request, (request) =>
        exchange(request, 'calls', async (answer) => {
          const text = await readWhole(answer.body, request.limit ?? sizeLimit, line.host)
          try {
            // the only place where the cluster's answer gets its type: that of the requested descriptor
            return JSON.parse(text) as T
          } catch {
            throw new KubeError('protocol', line.host, 'the answer is no JSON', { status: answer.statusCode })
          }
        }),
      )
    },
    list: <T>(request: KubeRequest) =>
      patiently(request, (request) =>
        exchange(request, 'calls', (answer) => readList<T>(answer.body, request.limit ?? sizeLimit, line.host)),
      ),
    stream: (lane, request) =>
      patiently(request, (request) =>
        exchange(request, lane, async (answer, stays) => {
          stays()
          return answer.body
        }),
      ),
    pass: async (request) => {
      if (mayChange(request)) await options.beforeWrite?.()
      return exchange({ ...request, anyStatus: true }, 'sessions', async ({ statusCode, headers, body }, stays) => {
        stays()
        return { status: statusCode, contentType: String(headers['content-type'] ?? 'application/json'), body }
      })
    },
    dial: async ({ path, query, identity, signal }) => {
      await options.beforeWrite?.()
      const { leave: leaveLane } = await take('sessions', identity, signal ?? new AbortController().signal)
      try {
        if (over) throw new KubeError('reset', line.host, 'the cluster was removed')
        const { pass, wait } = ask(breaker, now())
        if (!pass) throw resting(wait)
        return { ...(await dialling(line, options.admit, path, query, identity)), leave: leaveLane }
      } catch (error) {
        leaveLane()
        throw error
      }
    },
    health: () => health,
    revive: () => {
      breaker = closed
      holdUntil = 0
    },
    replace: (address) => {
      const old = line
      line = lineTo(address)
      breaker = closed
      holdUntil = 0
      health = { state: 'unknown', since: now() }
      const { calls, watches, sessions } = old.pools
      void Promise.allSettled([calls.close(), watches.destroy(), sessions.destroy()])
    },
    rename: (name) => {
      line.host = name
    },
    close: async () => {
      over = true
      await Promise.allSettled(Object.values(line.pools).map((pool) => pool.destroy()))
    },
  }
}
