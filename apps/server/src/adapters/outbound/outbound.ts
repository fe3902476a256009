import { addressPolicy, parseCidrs } from '@gantry/addresses/policy'
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { rootCertificates } from 'node:tls'
import { Agent, ProxyAgent, request as exchange, type Dispatcher } from 'undici'
import type { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'
import { literalOf, readUrl, refusal } from './address.ts'
import { acceptEncoding, boundedBody, parseJson, textOf, tooLarge } from './body.ts'
import { outboundFault } from './faults.ts'
import { inTurn, lookupOf, pinnedLookup, systemResolve, withDeadline, type Pinned, type Resolve } from './lookup.ts'
import { redirectOf } from './redirect.ts'

export interface OutboundSettings {
  /** GANTRY_OUTBOUND_ALLOW: permits loopback, and limits private addresses once it names a private range. */
  allow?: readonly string[]
  /** GANTRY_OUTBOUND_PROXY: for public addresses and names that only the proxy can resolve. */
  proxy?: string | undefined
  /** The content of GANTRY_CA_FILE: trusted in addition to the system's CAs. */
  ca?: string | undefined
  /**
   * Exact origins of the product's own parts (the sandbox), exempt from the address rules. A function if they are only
   * known later.
   */
  own?: readonly string[] | (() => readonly string[])
  /** Tests inject their own resolver here. */
  resolve?: Resolve
}

export interface OutboundRequest {
  url: string | URL
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent to the first host only: no redirect carries them to another host. */
  headers?: Record<string, string>
  body?: string | Buffer | Readable
  /** Milliseconds for the whole exchange, the answer's body included. Default: 30,000. */
  timeout?: number
  /** Maximum bytes of the decompressed answer. Default: 10 MiB. */
  maxBytes?: number
  /** `follow`: at most three, to the same host, for GET and HEAD. `manual`: the 3xx is the answer. */
  redirect?: 'follow' | 'manual'
  /** From `admit`: connects to these addresses, whatever the name resolves to by now. */
  pinned?: Pinned
  /** PEM of authorities to trust besides the usual ones, for this host only. Such a host is reached without the proxy. */
  ca?: string | undefined
  signal?: AbortSignal
}

export interface OutboundResponse {
  status: number
  /** Names in lower case; repeated headers joined by a comma. */
  headers: Record<string, string>
  /** The URL of the answer, after redirects. */
  url: URL
  /** Must be read or destroyed: until then it occupies the connection, at most for the request's timeout. */
  body: Readable
}

export interface Outbound {
  /** Resolves and checks every address. Throws Fault `outbound-refused` or `outbound-unknown-host`. */
  admit(url: string | URL): Promise<Pinned>
  /** Any status is an answer; throws a Fault, or the reason of the caller's own `signal`. */
  request(request: OutboundRequest): Promise<OutboundResponse>
  requestText(request: OutboundRequest): Promise<{ status: number; headers: Record<string, string>; text: string }>
  /** Throws `outbound-status` for any status but 2xx, and `outbound-not-json` for a body that `schema` refuses. */
  requestJson<S extends z.ZodType>(request: OutboundRequest, schema: S): Promise<z.infer<S>>
  /**
   * Whether the URL answers at all, within 5 s. Every failure is the same Fault `outbound-refused`, so that probes
   * cannot scan ports.
   */
  probe(url: string): Promise<void>
  /** Resolves and checks when connecting, for sockets that are created elsewhere (websockets, LDAP, SMTP). */
  lookup: LookupFunction
  /** Whether a pinned URL is public, which decides whether the proxy is used. */
  reach(pinned: Pinned): 'public' | 'inside'
  /** The setting that a child process (git) needs to use the same proxy. */
  readonly proxy: string | undefined
  readonly ca: string | undefined
  close(): Promise<void>
}

const maxRedirects = 3
const lookupMs = 5000

/** The one client for every URL that a user may enter. Its rules are in `addressPolicy` and `readUrl`. */
export function createOutbound(settings: OutboundSettings = {}): Outbound {
  const allow = parseCidrs(settings.allow ?? [])
  if (allow === undefined) throw new Error('allow holds something that is no CIDR')
  const reachOf = addressPolicy(allow)
  const resolve = inTurn(settings.resolve ?? systemResolve, lookupMs)
  const ca = settings.ca === undefined ? undefined : [...rootCertificates, settings.ca]

  /** One refused address among several refuses the name: we do not control which of them a connection uses. */
  const checked: Resolve = async (hostname) => {
    const found = await withDeadline(resolve(hostname), lookupMs, hostname).catch((error: unknown) => {
      throw outboundFault(error, hostname)
    })
    if (found.some(({ address }) => reachOf(address) === 'refused')) throw refusal()
    return found
  }
  const lookup = lookupOf(checked)

  const tls = { ...(ca && { ca }), timeout: 5000, allowH2: false }
  const limits = {
    maxHeaderSize: 32_768,
    connections: 32,
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 30_000,
    allowH2: false,
  }
  const guarded = new Agent({ ...limits, connect: { ...tls, lookup } })
  const exempt = new Agent({ ...limits, connect: tls })
  const proxied =
    settings.proxy === undefined ? undefined : new ProxyAgent({ uri: settings.proxy, requestTls: tls, ...limits })

  const isOwn = (url: URL): boolean => {
    const own = typeof settings.own === 'function' ? settings.own() : (settings.own ?? [])
    return own.some((origin) => new URL(origin).origin === url.origin)
  }

  async function admit(given: string | URL): Promise<Pinned> {
    const url = readUrl(given)
    const literal = literalOf(url)
    const addresses =
      literal !== undefined
        ? [{ address: literal, family: literal.includes(':') ? 6 : 4 }]
        : await (isOwn(url) ? resolve : checked)(url.hostname)
    const first = addresses[0]
    if (first === undefined) throw new Fault('badGateway', 'outbound-unknown-host', { host: url.hostname })
    if (literal !== undefined && !isOwn(url) && reachOf(literal) === 'refused') throw refusal()
    return { url, address: first.address, family: first.family === 6 ? 6 : 4, addresses }
  }

  /**
   * The dispatcher of a request. No lookup is needed here: `guarded` checks the very addresses that it connects to.
   * With a proxy, private addresses are still contacted directly, and the proxy gets names, as its own rules expect.
   */
  async function dispatcherOf(url: URL): Promise<Dispatcher> {
    if (isOwn(url)) return exempt
    const literal = literalOf(url)
    if (literal !== undefined && reachOf(literal) === 'refused') throw refusal()
    if (proxied === undefined) return guarded
    if (literal !== undefined) return reachOf(literal) === 'public' ? proxied : guarded
    const found = await checked(url.hostname).catch((error: unknown) => {
      if (error instanceof Fault && error.key === 'outbound-unknown-host') return []
      throw error
    })
    return found.some(({ address }) => reachOf(address) !== 'public') ? guarded : proxied
  }

  const reach = ({ url, addresses }: Pinned): 'public' | 'inside' =>
    !isOwn(url) && addresses.every(({ address }) => reachOf(address) === 'public') ? 'public' : 'inside'

  async function once(url: URL, request: OutboundRequest, signal: AbortSignal, timeout: number) {
    const { pinned } = request
    if (request.ca !== undefined) {
      const literal = literalOf(url)
      if (literal !== undefined && !isOwn(url) && reachOf(literal) === 'refused') throw refusal()
      const trusting = { ...tls, ca: [...(ca ?? rootCertificates), request.ca], lookup }
      const only = new Agent({ ...limits, connect: trusting })
      return exchanged(only, url, request, signal, timeout).finally(() => void only.close())
    }
    if (pinned === undefined || (proxied !== undefined && reach(pinned) === 'public')) {
      const send = async () => exchanged(await dispatcherOf(url), url, request, signal, timeout)
      return send().catch((error: unknown) => {
        // a kept connection may be closed by its peer when it is used again, so a read is repeated once
        if (!readsOnly(request) || signal.aborted || outboundFault(error, url.host).key !== 'outbound-broken')
          throw error
        return send()
      })
    }
    const only = new Agent({ ...limits, connect: { ...tls, lookup: pinnedLookup(pinned) } })
    // lets the answer finish, but accepts no other request
    return exchanged(only, url, request, signal, timeout).finally(() => void only.close())
  }

  function exchanged(dispatcher: Dispatcher, url: URL, request: OutboundRequest, signal: AbortSignal, timeout: number) {
    const headers: Record<string, string> = { 'accept-encoding': acceptEncoding, 'user-agent': 'gantry' }
    for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value
    // undici takes the TLS name from this header
    delete headers['host']
    return exchange(url, {
      dispatcher,
      method: request.method ?? 'GET',
      headers,
      ...(request.body !== undefined && { body: request.body }),
      signal,
      headersTimeout: timeout,
      bodyTimeout: timeout,
    })
  }

  async function request(wanted: OutboundRequest): Promise<OutboundResponse> {
    const timeout = wanted.timeout ?? 30_000
    const maxBytes = wanted.maxBytes ?? 10 * 1_048_576
    let url = readUrl(wanted.url)
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), timeout)
    const signal = wanted.signal ? AbortSignal.any([deadline.signal, wanted.signal]) : deadline.signal
    const cut = (): Error | undefined => {
      if (wanted.signal?.aborted === true) return asError(wanted.signal.reason)
      return deadline.signal.aborted ? new Fault('badGateway', 'outbound-timeout', { host: url.host }) : undefined
    }
    try {
      for (let hops = 0; ; hops++) {
        const answer = await raced(once(url, wanted, signal, timeout), signal)
        const headers = flat(answer.headers)
        const next =
          wanted.redirect === 'manual' ? undefined : redirectOf(url, answer.statusCode, headers, wanted.method)
        if (next === undefined) {
          // Whether the body is missing or empty, so that there is nothing to decompress, whatever the headers say.
          const bodiless =
            wanted.method === 'HEAD' || [204, 304].includes(answer.statusCode) || headers['content-length'] === '0'
          if (!bodiless && Number(headers['content-length'] ?? 0) > maxBytes) {
            void answer.body.destroy().on('error', () => {})
            throw tooLarge(url.host, maxBytes)
          }
          const body = boundedBody(answer.body, {
            host: url.host,
            encoding: bodiless ? '' : (headers['content-encoding']?.toLowerCase() ?? ''),
            maxBytes,
            cut,
            closed: () => clearTimeout(timer),
          })
          return { status: answer.statusCode, headers, url, body }
        }
        void answer.body.destroy().on('error', () => {})
        if (hops === maxRedirects) throw new Fault('badGateway', 'outbound-redirect', { host: url.host })
        url = next
      }
    } catch (error) {
      clearTimeout(timer)
      throw cut() ?? outboundFault(error, url.host)
    }
  }

  async function requestText(wanted: OutboundRequest) {
    const { status, headers, body } = await request(wanted)
    return { status, headers, text: await textOf(body) }
  }

  return {
    admit,
    request,
    requestText,
    async requestJson(wanted, schema) {
      const host = readUrl(wanted.url).host
      const { status, text } = await requestText({
        ...wanted,
        headers: { accept: 'application/json', ...wanted.headers },
      })
      if (status < 200 || status > 299) throw new Fault('badGateway', 'outbound-status', { host, status })
      return parseJson(text, schema, host)
    },
    async probe(url) {
      try {
        const { body } = await request({ url, timeout: 5000, maxBytes: 1_048_576 })
        for await (const _ of body);
      } catch {
        throw refusal()
      }
    },
    lookup,
    reach,
    proxy: settings.proxy,
    ca: settings.ca,
    async close() {
      await Promise.all([guarded.destroy(), exempt.destroy(), proxied?.destroy()])
    },
  }
}

const readsOnly = ({ method = 'GET', body }: OutboundRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && body === undefined

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))

/** undici notices an abort only once it is connected; a hanging resolver must not outlive the deadline. */
function raced<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(asError(signal.reason))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return joined
}
