import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { rootCertificates } from 'node:tls'
import { Agent, ProxyAgent, request as exchange, type Dispatcher } from 'undici'
import type { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'
import { addressPolicy, literalOf, parseCidrs, readUrl, refusal } from './address.ts'
import { acceptEncoding, boundedBody, tooLarge } from './body.ts'
import { outboundFault } from './faults.ts'

/** Every address of a name, as getaddrinfo tells them. Tests put a resolver of their own here. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>

export interface OutboundSettings {
  /** GANTRY_OUTBOUND_ALLOW: opens loopback, and narrows private addresses once it names a private range. */
  allow?: readonly string[]
  /** GANTRY_OUTBOUND_PROXY: the way to public addresses and to names that only the proxy can resolve. */
  proxy?: string | undefined
  /** The PEM text of GANTRY_CA_FILE: trusted beside the usual authorities. */
  ca?: string | undefined
  /** Exact origins of the product's own parts (the sandbox), exempt from the address rules. */
  own?: readonly string[]
  resolve?: Resolve
}

/** A URL whose addresses were checked; whoever connects uses one of `addresses` and resolves no more. */
export interface Pinned {
  url: URL
  address: string
  family: 4 | 6
  addresses: LookupAddress[]
}

export interface OutboundRequest {
  url: string | URL
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Stay with the first host: no redirect carries them to another. */
  headers?: Record<string, string>
  body?: string | Buffer | Readable
  /** Milliseconds for the whole exchange, the answer's body included. 30,000. */
  timeout?: number
  /** Bytes of the decompressed answer. 10 MiB. */
  maxBytes?: number
  /** `follow`: at most three, to the same host, for GET and HEAD. `manual`: the 3xx is the answer. */
  redirect?: 'follow' | 'manual'
  signal?: AbortSignal
}

export interface OutboundResponse {
  status: number
  /** Names in lower case; repeated headers joined by a comma. */
  headers: Record<string, string>
  /** Where the answer came from, after redirects. */
  url: URL
  /** Read it or destroy it: until then the connection is held, at most for the request's timeout. */
  body: Readable
}

export interface Outbound {
  /** Resolves and checks every address. Throws Fault `outbound-refused` or `outbound-unknown-host`. */
  admit(url: string | URL): Promise<Pinned>
  /** Any status is an answer; what is thrown is a Fault, or the reason of the caller's own `signal`. */
  request(request: OutboundRequest): Promise<OutboundResponse>
  requestText(request: OutboundRequest): Promise<{ status: number; headers: Record<string, string>; text: string }>
  /** Throws `outbound-status` for anything but 2xx, and `outbound-not-json` for a body that `schema` refuses. */
  requestJson<S extends z.ZodType>(request: OutboundRequest, schema: S): Promise<z.infer<S>>
  /** Whether the URL answers at all, within 5 s. Every failure is the one Fault `outbound-refused`: no port scanner. */
  probe(url: string): Promise<void>
  /** Resolves and checks at the moment of connecting, for sockets made elsewhere (websockets, LDAP, SMTP). */
  lookup: LookupFunction
  /** Where a pinned URL lies: decides whether a proxy stands between. */
  reach(pinned: Pinned): 'public' | 'inside'
  /** The settings that a child process (git) needs to go the same way. */
  readonly proxy: string | undefined
  readonly ca: string | undefined
  close(): Promise<void>
}

const redirects = new Set([301, 302, 303, 307, 308])
const maxRedirects = 3

/** For connections to a Pinned: answers its addresses, whatever it is asked. */
export const pinnedLookup = (pinned: Pinned): LookupFunction => lookupOf(async () => pinned.addresses)

function lookupOf(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        const fitting =
          options.family === 4 || options.family === 6 ? found.filter((a) => a.family === options.family) : found
        const first = fitting[0]
        if (first === undefined) callback(new Fault('badGateway', 'outbound-unknown-host', { host: hostname }), '', 0)
        else if (options.all === true) callback(null, fitting)
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, '', 0),
    )
  }
}

const systemResolve: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true, order: 'verbatim' }, (error, found) => (error ? reject(error) : resolve(found)))
  })

/** The one client for every URL that a user may name. Its rules are in `addressPolicy` and `readUrl`. */
export function createOutbound(settings: OutboundSettings = {}): Outbound {
  const allow = parseCidrs(settings.allow ?? [])
  if (allow === undefined) throw new Error('allow holds something that is no CIDR')
  const reachOf = addressPolicy(allow)
  const own = new Set((settings.own ?? []).map((origin) => new URL(origin).origin))
  const resolve = settings.resolve ?? systemResolve
  const ca = settings.ca === undefined ? undefined : [...rootCertificates, settings.ca]

  /** One refused address among many refuses the name: which of them a connection takes is not ours to say. */
  const checked: Resolve = async (hostname) => {
    const found = await withDeadline(resolve(hostname), 5000, hostname).catch((error: unknown) => {
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

  const isOwn = (url: URL): boolean => own.has(url.origin)

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
   * Names need no look here: `guarded` checks the very addresses that it connects to. With a proxy, private addresses are
   * still reached directly, and the proxy gets names, as its own rules want to see them.
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

  async function once(url: URL, request: OutboundRequest, signal: AbortSignal, timeout: number) {
    const headers: Record<string, string> = { 'accept-encoding': acceptEncoding, 'user-agent': 'gantry' }
    for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value
    // undici takes the TLS name from this header.
    delete headers['host']
    return exchange(url, {
      dispatcher: await dispatcherOf(url),
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
        const next = wanted.redirect === 'manual' ? undefined : redirectOf(url, answer.statusCode, headers, wanted)
        if (next === undefined) {
          const length = wanted.method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0)
          if (length > maxBytes) {
            void answer.body.destroy().on('error', () => {})
            throw tooLarge(url.host, maxBytes)
          }
          const body = boundedBody(answer.body, {
            host: url.host,
            encoding: headers['content-encoding']?.toLowerCase() ?? '',
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
    reach: ({ url, addresses }) =>
      !isOwn(url) && addresses.every(({ address }) => reachOf(address) === 'public') ? 'public' : 'inside',
    proxy: settings.proxy,
    ca: settings.ca,
    async close() {
      await Promise.all([guarded.destroy(), exempt.destroy(), proxied?.destroy()])
    },
  }
}

/** JSON from outside, checked: `outbound-not-json` names the host where it is none or has another shape. */
export function parseJson<S extends z.ZodType>(text: string, schema: S, host: string): z.infer<S> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Fault('badGateway', 'outbound-not-json', { host })
  }
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new Fault('badGateway', 'outbound-not-json', { host })
  return parsed.data
}

export async function textOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** Where to go on; undefined where the answer is the answer. */
function redirectOf(
  from: URL,
  status: number,
  headers: Record<string, string>,
  wanted: OutboundRequest,
): URL | undefined {
  const location = headers['location']
  if (!redirects.has(status) || location === undefined) return undefined
  const refused = new Fault('badGateway', 'outbound-redirect', { host: from.host })
  if (wanted.method !== undefined && wanted.method !== 'GET' && wanted.method !== 'HEAD') throw refused
  if (!URL.canParse(location, from)) throw refused
  const to = new URL(location, from)
  const upgraded = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === ''
  if (to.hostname !== from.hostname || (to.origin !== from.origin && !upgraded)) throw refused
  return readUrl(to)
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return joined
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))

/** undici only notices an abort once a connection is there; a resolver that hangs must not outlive the deadline. */
function raced<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(asError(signal.reason))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

async function withDeadline<T>(work: Promise<T>, ms: number, host: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Fault('badGateway', 'outbound-timeout', { host })), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
