import { isIP, type LookupFunction, type Socket } from 'node:net'
import { getCACertificates } from 'node:tls'
import { buildConnector, Pool } from 'undici'
import { Fault } from '../../../kernel/fault.ts'
import { maskEchoes } from '../../../kernel/secrets/masking.ts'
import { KubeError, networkError } from '../errors.ts'
import { type ClusterAddress, secretsOf } from './kubeconfig.ts'
import { dialAgent, socketThroughAgent } from '../tunnel/tunnel-socket.ts'
import type { Tunnels } from '../tunnel/tunnels.ts'

/** A checked address, in the form of `dns.lookup`. */
export interface PinnedAddress {
  address: string
  family: number
}

/**
 * The outbound guard (`outbound.admit`): resolves the URL's host, checks it, and returns the addresses that may be
 * connected to. Otherwise throws a Fault. Called for every new connection, so that a changed name is checked again.
 */
export type Admit = (url: URL) => Promise<{ addresses: readonly PinnedAddress[] }>

/** Impersonate-User and Impersonate-Group of a request. Printable ASCII only, so ids, not names. */
export interface Identity {
  user: string
  groups: readonly string[]
}

export type Query = Record<string, string | number | boolean | readonly string[] | undefined>

/** What a connection of another kind (a websocket) needs to be as safe as the transport's own. */
export interface Dialling {
  url: URL
  /** Returns the checked addresses, without resolving again. */
  lookup: LookupFunction
  ca: string | string[] | undefined
  cert: string | undefined
  key: string | undefined
  servername: string | undefined
  headers: Record<string, string | string[]>
  /** Returns the connection to use if no address leads to the cluster. */
  connect?: () => Socket
}

/** A connection of another kind, which counts in its lane until `leave` is called. */
export interface Dialled extends Dialling {
  leave: () => void
}

const connectTimeout = 5000

/** Separate connection pools: calls, the watches of the cache, and users' logs and terminals. */
export type Lane = 'calls' | 'watches' | 'sessions'

/**
 * Connections per lane. There is one watch per kind, so watches never wait, however many logs are open. The sum fits
 * into the 300 streams of an agent's tunnel.
 */
export const connections: Record<Lane, number> = { calls: 8, watches: 32, sessions: 240 }

const printable = /^[\x21-\x7e]+$/

export function identityHeaders(identity: Identity | undefined): [string, string][] {
  if (!identity) return []
  if (![identity.user, ...identity.groups].every((name) => printable.test(name)))
    throw new TypeError('an identity for a cluster is printable ASCII')
  return [
    ['Impersonate-User', identity.user],
    ...identity.groups.map((group): [string, string] => ['Impersonate-Group', group]),
  ]
}

export function authHeaders({ address: { auth }, tunnels }: Pick<Line, 'address' | 'tunnels'>): [string, string][] {
  if (auth.kind === 'agent') {
    const token = tunnels?.token(auth.environment)
    return token === undefined ? [] : [['Authorization', `Bearer ${token}`]]
  }
  return auth.kind === 'token' ? [['Authorization', `Bearer ${auth.token}`]] : []
}

/** Masks the credentials in a text from the cluster: whatever answers at the address may repeat them. */
export const withoutCredentials = (line: Pick<Line, 'address' | 'tunnels'>, text: string): string =>
  maskEchoes(text, [
    ...secretsOf(line.address.auth),
    ...authHeaders(line).map(([, value]) => value.replace(/^\w+ /, '')),
  ])

/** Path and query as on the wire. Arrays repeat their key, as exec's `command` requires. */
export function target(base: string, path: string, query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (typeof value === 'object') for (const one of value) search.append(key, one)
    else if (value !== undefined) search.append(key, String(value))
  }
  const text = search.toString()
  return base + path + (text && `?${text}`)
}

/** The sockets and settings of a cluster's address; replaced as a whole when it changes. */
export interface Line {
  address: ClusterAddress
  tunnels: Tunnels | undefined
  url: URL
  /** As shown in messages: host and port, or the name of a cluster with an agent. */
  host: string
  base: string
  servername: string | undefined
  ca: string | string[] | undefined
  /** Each lane's connections; those of terminals are created elsewhere. */
  pools: Record<Lane, Pool>
}

const lookupOf =
  (addresses: () => readonly PinnedAddress[]): LookupFunction =>
  (hostname, options, done) => {
    const found = addresses().filter(({ family }) => !options.family || options.family === family)
    const [first] = found
    if (!first) done(Object.assign(new Error(`no address for ${hostname}`), { code: 'ENOTFOUND' }), '', 0)
    else if (options.all) done(null, [...found])
    else done(null, first.address, first.family)
  }

/** A refusal by the guard is a rule, not an outage; a name that it cannot resolve is an outage. */
export function guardError(error: unknown, server: string): KubeError {
  const key = error instanceof Fault ? error.key : undefined
  const kind = key === 'outbound-unknown-host' ? 'dns' : key === 'outbound-timeout' ? 'timeout' : 'blocked'
  return new KubeError(kind, server, error instanceof Error ? error.message : String(error), { cause: error })
}

export function openLine(address: ClusterAddress, admit: Admit, rootCa?: readonly string[], tunnels?: Tunnels): Line {
  const url = new URL(address.server)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const servername = address.tlsServerName ?? (isIP(host) ? undefined : host)
  const ca = address.ca ?? (rootCa ? [...getCACertificates('default'), ...rootCa] : undefined)
  const { auth } = address
  let pinned: readonly PinnedAddress[] = []
  const dial = buildConnector({
    lookup: lookupOf(() => pinned),
    ...(ca !== undefined && { ca }),
    ...(auth.kind === 'certificate' && { cert: auth.cert, key: auth.key }),
    allowH2: false,
    timeout: connectTimeout,
    keepAlive: true,
    keepAliveInitialDelay: 15_000,
  })
  const connect: buildConnector.connector = (to, callback) => {
    if (auth.kind === 'agent') return dialAgent(tunnels, { ...auth, name: line.host }, connectTimeout, callback)
    admit(url).then(
      ({ addresses }) => {
        pinned = addresses
        try {
          dial({ ...to, ...(servername !== undefined && { servername }) }, callback)
        } catch (error) {
          // TLS refuses its parameters before it connects; as an unhandled rejection this would end the process
          callback(networkError(error, url.host), null)
        }
      },
      (error: unknown) => callback(guardError(error, url.host), null),
    )
  }
  // our own timeouts, so that one budget covers queue, connection, headers and body together
  const common = { connect, pipelining: 1, headersTimeout: 0, bodyTimeout: 0, allowH2: false } as const
  const pool = (lane: Lane, keepAliveTimeout: number) =>
    new Pool(url.origin, { ...common, connections: connections[lane], keepAliveTimeout })
  const line: Line = {
    address,
    tunnels,
    url,
    host: auth.kind === 'agent' ? auth.name : url.host,
    base: url.pathname.replace(/\/$/, ''),
    servername,
    ca,
    pools: { calls: pool('calls', 30_000), watches: pool('watches', 4000), sessions: pool('sessions', 4000) },
  }
  return line
}

/** Checks the address again and returns how to make another kind of connection. */
export async function dialling(
  line: Line,
  admit: Admit,
  path: string,
  query: Query | undefined,
  identity: Identity | undefined,
): Promise<Dialling> {
  const { address, url, host, base, servername, ca, tunnels } = line
  const { auth } = address
  const { addresses } =
    auth.kind === 'agent'
      ? { addresses: [] }
      : await admit(url).catch((error: unknown) => {
          throw guardError(error, url.host)
        })
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of [...authHeaders(line), ...identityHeaders(identity)]) {
    const before = headers[name]
    headers[name] = before === undefined ? value : [before, value].flat()
  }
  return {
    ...(auth.kind === 'agent' && { connect: socketThroughAgent(tunnels, { ...auth, name: host }) }),
    url: new URL(target(base, path, query), url.origin),
    lookup: lookupOf(() => addresses),
    ca,
    cert: auth.kind === 'certificate' ? auth.cert : undefined,
    key: auth.kind === 'certificate' ? auth.key : undefined,
    servername,
    headers,
  }
}
