import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import { normalizeKubeconfig } from '@gantry/contract/clusters/kubeconfig'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { type Document, type ErrorCode, isAlias, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import { isObject } from '../../../kernel/json.ts'
import { codeOf } from '../../outbound/causes.ts'
import { Fault } from '../../../kernel/fault.ts'
import { same } from '../rows/rows.ts'

export type ClusterAuth =
  | { kind: 'token'; token: string }
  /** PEM. */
  | { kind: 'certificate'; cert: string; key: string }
  /** The cluster's agent dials in, and reports its API server's address and credentials. `name` is for messages. */
  | { kind: 'agent'; environment: string; name: string }

/** The secrets that are masked in texts about the cluster. */
export function secretsOf(auth: ClusterAuth): string[] {
  if (auth.kind === 'token') return [auth.token]
  return auth.kind === 'certificate' ? [auth.key] : []
}

/** All that is needed to reach a cluster. It contains secrets: sealed at rest, never in an answer or a log. */
export interface ClusterAddress {
  /** https, or http on loopback; may have a path (behind a gateway), but no trailing slash. */
  server: string
  /** PEM; undefined: the system's CAs. */
  ca: string | undefined
  auth: ClusterAuth
  /** The name to expect in the server's certificate, if it is not the host's. */
  tlsServerName: string | undefined
}

/** The address of a cluster that only its agent reaches. The host is a placeholder for the agent's connection. */
export const agentAddress = (clusterId: string, name: string): ClusterAddress => ({
  server: 'https://kubernetes.default.svc',
  ca: undefined,
  auth: { kind: 'agent', environment: clusterId, name },
  tlsServerName: undefined,
})

const unnamed = (address: ClusterAddress): ClusterAddress =>
  address.auth.kind === 'agent' ? { ...address, auth: { ...address.auth, name: '' } } : address

/** Whether both lead to one cluster in the same way; the cluster's name in an address is only for messages. */
export const leadsAlike = (one: ClusterAddress, other: ClusterAddress): boolean => same(unnamed(one), unnamed(other))

const limit = 1024 * 1024

type Fields = Record<string, unknown>
const shape = (field: string) => new Fault('invalid', 'kube-config-shape', { field })

function fieldsOf(value: unknown, field: string): Fields {
  if (value === undefined || value === null) return {}
  if (!isObject(value)) throw shape(field)
  return value
}

function textOf(from: Fields, key: string, field = key): string | undefined {
  const value = from[key]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string') throw shape(field)
  return value
}

/** The entries of `clusters`, `users` or `contexts`; of entries with the same name the first counts, as in kubectl. */
function entriesOf(config: Fields, list: string, inner: string): Map<string, Fields> {
  const entries = config[list] ?? []
  if (!Array.isArray(entries)) throw shape(list)
  const found = new Map<string, Fields>()
  for (const [index, entry] of entries.entries()) {
    if (!isObject(entry)) throw shape(`${list}[${index}]`)
    const name = entry['name']
    if (typeof name !== 'string') throw shape(`${list}[${index}].name`)
    if (!found.has(name)) found.set(name, fieldsOf(entry[inner], `${list}[${index}].${inner}`))
  }
  return found
}

/** The beginnings of entries, lines and nestings: parsing time grows with their number, and hardly with long base64. */
const beginnings = /[\n,[{]|[-?:] /g
/** Enough for some hundred contexts, which are parsed within a tenth of a second. */
const maxBeginnings = 20_000

/** The first duplicate key of a map. The parser's own check takes minutes for a map of 1 MB. */
function repeatedKey(document: Document): number | undefined {
  let found: number | undefined
  visit(document, {
    Map: (_, { items }) => {
      const keys = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (keys.has(key.value)) {
          found = key.range?.[0] ?? 0
          return visit.BREAK
        }
        keys.add(key.value)
      }
      return undefined
    },
  })
  return found
}

/**
 * The problems of invalid YAML in the product's own words: the parser's texts name its grammar and, after a colon,
 * quote a piece of the text, which may be a secret.
 */
const notYaml: Partial<Record<ErrorCode, PhraseKey>> = {
  BAD_INDENT: 'kube-config-yaml-indent',
  TAB_AS_INDENT: 'kube-config-yaml-indent',
  BLOCK_AS_IMPLICIT_KEY: 'kube-config-yaml-indent',
  BLOCK_IN_FLOW: 'kube-config-yaml-indent',
  MISSING_CHAR: 'kube-config-yaml-unclosed',
  DUPLICATE_KEY: 'kube-config-yaml-twice',
  MULTIPLE_DOCS: 'kube-config-yaml-documents',
  BAD_ALIAS: 'kube-config-yaml-alias',
}

function firstAlias(document: Document): number | undefined {
  let found: number | undefined
  visit(document, {
    Alias: (_, { range }) => {
      found = range?.[0]
      return visit.BREAK
    },
  })
  return found
}

function parseFields(given: string): Fields {
  if (given.length > limit || Buffer.byteLength(given) > limit)
    throw new Fault('invalid', 'kube-config-too-large', { limit: '1 MB' })
  const text = normalizeKubeconfig(given)
  let begun = 0
  for (const _ of text.matchAll(beginnings))
    if (++begun > maxBeginnings) throw new Fault('invalid', 'kube-config-too-long')
  const lines = new LineCounter()
  const noYaml = (code: ErrorCode, at = 0) =>
    new Fault('invalid', notYaml[code] ?? 'kube-config-not-yaml', { line: lines.linePos(at).line })
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    uniqueKeys: false,
  })
  const [problem] = document.errors
  if (problem) {
    // the parser reports an unclosed list or map in brackets as wrong indentation
    const isOpen = problem.code === 'BAD_INDENT' && problem.message.startsWith('Flow')
    throw noYaml(isOpen ? 'MISSING_CHAR' : problem.code, problem.pos[0])
  }
  const repeated = repeatedKey(document)
  if (repeated !== undefined) throw noYaml('DUPLICATE_KEY', repeated)
  if (isAlias(document.contents)) throw shape('clusters')
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 50 })
  } catch {
    // an undefined or endlessly expanding alias
    throw noYaml('BAD_ALIAS', firstAlias(document))
  }
  if (!isObject(value)) throw shape('clusters')
  return value
}

const loopback = (host: string) =>
  host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))

/** Whether the address is only reachable from one machine, or from inside the cluster. */
export function isOwnAddress(server: string): boolean {
  const { hostname } = new URL(server)
  return loopback(hostname) || /^kubernetes(\.default)?$|\.svc(\.|$)|\.cluster\.local$/.test(hostname)
}

/** Normalizes an API server's URL. */
export function serverUrl(given: string): string {
  const url = URL.parse(given.trim())
  // leaves out what may be a password or a token
  const [safe = ''] = given.replace(/\/\/[^/]*@/, '//').split(/[?#]/)
  const bad = () => new Fault('invalid', 'kube-config-server-invalid', { server: safe.slice(0, 200) })
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw bad()
  if (url.username || url.password || url.search || url.hash) throw bad()
  if (url.protocol === 'http:' && !loopback(url.hostname))
    throw new Fault('invalid', 'kube-config-server-plain', { server: url.host })
  return url.origin + url.pathname.replace(/\/+$/, '')
}

const decode = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8')

function certificates(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block))
}

/** Checks a CA bundle in PEM. */
export function caBundle(pem: string): string {
  try {
    if (certificates(pem).length > 0) return pem
  } catch {
    // reported below, like a bundle without a certificate
  }
  throw new Fault('invalid', 'kube-config-ca-invalid')
}

function certificateAuth(cert: string, key: string): ClusterAuth {
  let leaf: X509Certificate | undefined
  let fits = false
  try {
    leaf = certificates(cert)[0]
    fits = leaf?.checkPrivateKey(createPrivateKey(key)) ?? false
  } catch {
    leaf = undefined
  }
  if (!leaf) throw new Fault('invalid', 'kube-config-certificate-invalid')
  if (!fits) throw new Fault('invalid', 'kube-config-key-mismatch')
  const now = Date.now()
  if (now < Date.parse(leaf.validFrom) || now > Date.parse(leaf.validTo))
    throw new Fault('invalid', 'kube-config-certificate-expired', {
      from: new Date(leaf.validFrom).toISOString(),
      to: new Date(leaf.validTo).toISOString(),
    })
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    const isWeak = error instanceof Error && /TOO_(SMALL|WEAK)/.test(codeOf(error))
    throw new Fault('invalid', isWeak ? 'kube-config-certificate-weak' : 'kube-config-certificate-invalid')
  }
  return { kind: 'certificate', cert, key }
}

/** Checks a bearer token, so that none that would break a header is used. */
export function tokenAuth(token: string): ClusterAuth {
  const trimmed = token.trim()
  if (!/^[\x21-\x7e]{1,65536}$/.test(trimmed)) throw new Fault('invalid', 'kube-config-token-invalid')
  return { kind: 'token', token: trimmed }
}

const fileFields = ['client-certificate', 'client-key', 'tokenFile'] as const

/** The credentials of a kubeconfig's user. A certificate takes precedence over a token, as in the API server. */
function authOf(user: Fields, name: string): ClusterAuth {
  if (user['exec'] !== undefined && user['exec'] !== null) {
    const command = isObject(user['exec']) ? user['exec']['command'] : undefined
    throw new Fault('invalid', 'kube-config-exec', {
      command: typeof command === 'string' ? command.slice(0, 80) : '?',
    })
  }
  const provider = user['auth-provider']
  if (provider !== undefined && provider !== null) {
    const named = isObject(provider) ? provider['name'] : undefined
    throw new Fault('invalid', 'kube-config-auth-provider', {
      name: typeof named === 'string' ? named.slice(0, 80) : '?',
    })
  }
  if (['as', 'as-uid', 'as-groups', 'as-user-extra'].some((key) => user[key] !== undefined))
    throw new Fault('invalid', 'kube-config-impersonation')

  const cert = textOf(user, 'client-certificate-data')
  const key = textOf(user, 'client-key-data')
  const token = textOf(user, 'token')
  // inline data is enough; only a path that would have to be read is refused
  const inline = { 'client-certificate': cert, 'client-key': key, tokenFile: token }
  for (const field of fileFields)
    if (textOf(user, field) !== undefined && inline[field] === undefined)
      throw new Fault('invalid', 'kube-config-file', { field })

  if (cert !== undefined && key !== undefined) return certificateAuth(decode(cert), decode(key))
  if (cert !== undefined || key !== undefined) throw new Fault('invalid', 'kube-config-certificate-invalid')
  if (token !== undefined) return tokenAuth(token)
  if (user['username'] !== undefined || user['password'] !== undefined)
    throw new Fault('invalid', 'kube-config-password', { name })
  throw new Fault('invalid', 'kube-config-no-credentials', { name })
}

function clusterOf(cluster: Fields): Omit<ClusterAddress, 'auth'> {
  const server = textOf(cluster, 'server', 'cluster.server')
  if (server === undefined) throw shape('cluster.server')
  if (cluster['insecure-skip-tls-verify'] === true) throw new Fault('invalid', 'kube-config-insecure')
  if (textOf(cluster, 'proxy-url') !== undefined) throw new Fault('invalid', 'kube-config-proxy')
  const ca = textOf(cluster, 'certificate-authority-data')
  if (ca === undefined && textOf(cluster, 'certificate-authority') !== undefined)
    throw new Fault('invalid', 'kube-config-file', { field: 'certificate-authority' })
  const tlsServerName = textOf(cluster, 'tls-server-name')
  if (tlsServerName !== undefined && isIP(tlsServerName) !== 0)
    throw new Fault('invalid', 'kube-config-server-name', { name: tlsServerName })
  return {
    server: serverUrl(server),
    ca: ca === undefined ? undefined : caBundle(decode(ca)),
    tlsServerName,
  }
}

/** The address of the first cluster in a kubeconfig without credentials, such as a cluster publishes to everybody. */
export function firstCluster(text: string): Omit<ClusterAddress, 'auth'> {
  const [first] = entriesOf(parseFields(text), 'clusters', 'cluster').values()
  if (first === undefined) throw shape('clusters')
  return clusterOf(first)
}

const namesOf = (names: Iterable<string>) => [...names].slice(0, 20).join(', ')

/**
 * The address of one context of a kubeconfig. The name may be omitted if there is only one; `current-context` is never
 * used silently. Features that a server must not execute for a user are refused by name: running programs, reading
 * files, skipping certificate checks, proxies, impersonation.
 */
export function parseKubeconfig(text: string, contextName?: string): ClusterAddress {
  const config = parseFields(text)
  const contexts = entriesOf(config, 'contexts', 'context')
  const names = [...contexts.keys()]
  if (names.length === 0) throw new Fault('invalid', 'kube-config-no-context')
  if (contextName === undefined && names.length > 1)
    throw new Fault('invalid', 'kube-config-choose-context', { names: namesOf(names) })
  const name = contextName ?? names[0] ?? ''
  const context = contexts.get(name)
  if (!context) throw new Fault('invalid', 'kube-config-unknown-context', { name, names: namesOf(names) })

  const pick = (thing: 'cluster' | 'user') => {
    const wanted = textOf(context, thing, `context.${thing}`)
    if (wanted === undefined) throw shape(`context.${thing}`)
    const found = entriesOf(config, `${thing}s`, thing).get(wanted)
    if (!found) throw new Fault('invalid', 'kube-config-dangling', { context: name, thing, name: wanted })
    return { wanted, found }
  }
  const cluster = clusterOf(pick('cluster').found)
  const user = pick('user')
  return { ...cluster, auth: authOf(user.found, user.wanted) }
}
