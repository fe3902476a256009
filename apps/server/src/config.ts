import { randomBytes } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { unescape } from 'node:querystring'
import ipaddr from 'ipaddr.js'
import { StartError } from './kernel/fault.ts'
import { root } from './root.ts'

/** Everything that the environment configures. Nothing else reads the environment. */
export interface Config {
  host: string
  port: number
  /** Other servers of this installation listen on the same port of this machine. */
  sharesPort: boolean
  /** A file that the server writes once it is ready, for the launcher. */
  readyFile: string | undefined
  /** The data folder. */
  data: string
  databaseUrl: string
  /** Undefined: the first start generates a random one. */
  adminPassword: string | undefined
  /** The current key first; the others only open what was sealed under them. */
  secretKeys: [string, ...string[]]
  sandbox: boolean
  /** A file that the sandbox writes, possibly after the server has started. */
  sandboxKubeconfig: string | undefined
  /** The URL of the simulated registry, and the key that signs the tokens it accepts. */
  sandboxRegistry: { url: string; key: string } | undefined
  embeddedAgent: boolean
  /** How many jobs the embedded agent runs at once, until an administrator changes it. */
  embeddedCapacity: number
  /** Where the launcher stores the embedded agent's credential. */
  agentTokenFile: string | undefined
  /**
   * The address at which browsers reach the server, without a trailing slash; undefined: the address that it listens
   * on.
   */
  publicUrl: string | undefined
  registration: boolean
  outboundAllow: string[]
  outboundProxy: string | undefined
  caFile: string | undefined
  trustedProxies: string[]
  tls: { cert: string; key: string } | undefined
  metricsToken: string | undefined
  logLevel: LogLevel
  rateLimit: boolean
  /** The limit for all artifacts of one build in total. */
  buildArtifactBytes: number
  /** The limit for all that the cache steps of one team keep. */
  buildCacheBytes: number
  /** How long a terminal in a build may stay open. */
  buildTerminalSeconds: number
  /** Where logs, artifacts and backups go: a folder, or any S3-compatible store. */
  blobs: string
  s3: { endpoint: string; bucket: string; region: string; accessKey: string; secretKey: string } | undefined
  /** The program of the agent that dials out of a cluster, and the image that it runs in. */
  clusterAgent: { program: string; image: string }
  /** The bundled program of a build agent, and the image that it runs in, with node and git. */
  buildAgent: { program: string; image: string }
  /** The image of debug containers; it contains a shell. */
  debugImage: string
  /** The helm 3 program; undefined: the one on `path`, if any. */
  helm: string | undefined
  /** The PATH in which commands (git, helm) are searched. */
  path: string
  /** The folder of the built console. */
  console: string
  /** The cluster node that this process runs on, if it runs in a cluster. */
  nodeName: string | undefined
  /** Public key of the issuer of licenses, as `x` of an Ed25519 JWK. Undefined: no license is accepted. */
  licenseKey: string | undefined
  product: { name: string; version: string }
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export type Environment = Record<string, string | undefined>

const refuse = (name: string, problem: string): never => {
  throw new StartError(`${name} ${problem}`)
}

function read(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}

function onOff(env: Environment, name: string, fallback: boolean): boolean {
  const value = read(env, name)
  if (value === undefined) return fallback
  return value === 'on' || (value === 'off' ? false : refuse(name, `must be on or off, not "${value}"`))
}

function port(env: Environment): number {
  const value = read(env, 'GANTRY_PORT') ?? '8080'
  return /^\d{1,5}$/.test(value) && Number(value) <= 65_535
    ? Number(value)
    : refuse('GANTRY_PORT', `must be a port from 0 to 65535, not "${value}"`)
}

function url(env: Environment, name: string, schemes: string[]): string | undefined {
  const value = read(env, name)
  if (value === undefined) return undefined
  const parsed = URL.parse(value)
  if (!parsed || !schemes.includes(parsed.protocol))
    return refuse(name, `must be a URL that begins with ${schemes.map((s) => `${s}//`).join(' or ')}`)
  return value.replace(/\/+$/, '')
}

/** Not parsed as a URL, in which a socket's folder instead of a host would be invalid. */
function databaseUrl(env: Environment): string {
  const value = read(env, 'DATABASE_URL')
  if (value === undefined) return refuse('DATABASE_URL', 'is missing: npm start brings a database, or set it')
  return /^postgres(ql)?:\/\//.test(value) ? value : refuse('DATABASE_URL', 'must begin with postgresql://')
}

function cidrs(env: Environment, name: string): string[] {
  const list = (read(env, name) ?? '').split(',').map((part) => part.trim())
  for (const part of list.filter(Boolean)) {
    if (!ipaddr.isValid(part) && !ipaddr.isValidCIDR(part))
      refuse(name, `must list addresses or CIDR ranges, not "${part}"`)
  }
  return list.filter(Boolean)
}

function file(env: Environment, name: string): string | undefined {
  const value = read(env, name)
  if (value === undefined) return undefined
  try {
    accessSync(value, constants.R_OK)
  } catch {
    refuse(name, `names a file that cannot be read: ${value}`)
  }
  return resolve(value)
}

function sandboxRegistry(env: Environment): Config['sandboxRegistry'] {
  const address = url(env, 'GANTRY_SANDBOX_REGISTRY', ['http:'])
  if (address === undefined) return undefined
  const name = 'GANTRY_SANDBOX_REGISTRY_KEY_FILE'
  const path = file(env, name) ?? refuse(name, 'is missing beside GANTRY_SANDBOX_REGISTRY')
  return { url: address, key: readFileSync(path, 'utf8').trim() }
}

function terminalMinutes(env: Environment): number {
  const name = 'GANTRY_BUILD_TERMINAL_MINUTES'
  const value = read(env, name) ?? '30'
  return /^([1-9]|[12]\d|30)$/.test(value) ? Number(value) : refuse(name, `must be from 1 to 30, not "${value}"`)
}

function gigabytes(env: Environment, name: string, fallback: number): number {
  const value = read(env, name) ?? String(fallback)
  return /^[1-9]\d{0,5}$/.test(value)
    ? Number(value) * 1024 ** 3
    : refuse(name, `must be a number of gigabytes from 1 to 999999, not "${value}"`)
}

/** Parsed in the same way as the agent does. */
function capacity(env: Environment): number {
  const value = read(env, 'GANTRY_AGENT_CAPACITY') ?? '2'
  return /^([1-9]\d?|100)$/.test(value)
    ? Number(value)
    : refuse('GANTRY_AGENT_CAPACITY', `must be a whole number from 1 to 100, not "${value}"`)
}

function level(env: Environment): LogLevel {
  const value = read(env, 'GANTRY_LOG_LEVEL') ?? 'info'
  return (
    logLevels.find((known) => known === value) ??
    refuse('GANTRY_LOG_LEVEL', `must be one of ${logLevels.join(', ')}, not "${value}"`)
  )
}

function tls(env: Environment): Config['tls'] {
  const [cert, key] = [file(env, 'GANTRY_TLS_CERT'), file(env, 'GANTRY_TLS_KEY')]
  if (cert !== undefined && key === undefined) return refuse('GANTRY_TLS_KEY', 'is missing beside GANTRY_TLS_CERT')
  if (cert === undefined && key !== undefined) return refuse('GANTRY_TLS_CERT', 'is missing beside GANTRY_TLS_KEY')
  return cert !== undefined && key !== undefined ? { cert, key } : undefined
}

function s3(env: Environment): Config['s3'] {
  const endpoint = url(env, 'GANTRY_S3_ENDPOINT', ['http:', 'https:'])
  if (endpoint === undefined) return undefined
  const needed = (name: string): string => read(env, name) ?? refuse(name, 'is missing beside GANTRY_S3_ENDPOINT')
  return {
    endpoint,
    bucket: needed('GANTRY_S3_BUCKET'),
    region: read(env, 'GANTRY_S3_REGION') ?? 'us-east-1',
    accessKey: needed('GANTRY_S3_ACCESS_KEY'),
    secretKey: needed('GANTRY_S3_SECRET_KEY'),
  }
}

/** 32 bytes in the encoding of a JWK. */
function licenseKey(env: Environment): string | undefined {
  const name = 'GANTRY_LICENSE_KEY'
  const value = read(env, name)
  if (value === undefined || /^[\w-]{42}[AEIMQUYcgkosw048]$/.test(value)) return value
  return refuse(name, 'must be the 43 characters that npm run admin -- license key has printed')
}

/** Any image with Node 24 or newer. */
function image(env: Environment, name: string, usual: string): string {
  const value = read(env, name) ?? usual
  return /^[\w.:/@-]{1,500}$/.test(value) ? value : refuse(name, `must be the name of an image, not "${value}"`)
}

function dataFolder(env: Environment): string {
  const folder = resolve(
    read(env, 'GANTRY_DATA') ??
      (process.getuid?.() === 0 ? '/var/lib/gantry' : join(homedir(), '.local', 'share', 'gantry')),
  )
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    refuse('GANTRY_DATA', `names a folder that cannot be written: ${folder} (${(error as NodeJS.ErrnoException).code})`)
  }
  return folder
}

/**
 * GANTRY_SECRET_KEY may list the old keys that it replaces, separated by commas. Without it a file in the data folder
 * contains the key.
 */
function secretKeys(env: Environment, data: string): [string, ...string[]] {
  const given = read(env, 'GANTRY_SECRET_KEY')
  if (given !== undefined) {
    const keys = given.split(',').map((key) => key.trim())
    if (keys.some((key) => key.length < 16)) refuse('GANTRY_SECRET_KEY', 'must be at least 16 characters long')
    return keys as [string, ...string[]]
  }
  const path = join(data, 'secret-key')
  if (!existsSync(path)) makeKeyFile(path)
  const kept = readFileSync(path, 'utf8').trim()
  return kept.length >= 16 ? [kept] : refuse('GANTRY_SECRET_KEY', `is not set, and ${path} does not hold a key`)
}

/** Written completely and synced to disk before anything is sealed with it: losing it loses everything it sealed. */
function makeKeyFile(path: string): void {
  const fresh = `${path}.${randomBytes(8).toString('hex')}`
  try {
    writeFileSync(fresh, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true })
    // if two servers start at once, both use the file that was created first
    linkSync(fresh, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(fresh, { force: true })
  }
  // Windows cannot open folders; there a file's name is on disk once the file is
  if (process.platform === 'win32') return
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

const loopback = (host: string): boolean =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')

/** Throws a StartError whose single line names the variable. */
export function readConfig(env: Environment = process.env): Config {
  const host = read(env, 'GANTRY_HOST') ?? '127.0.0.1'
  if (host !== 'localhost' && !ipaddr.isValid(host)) refuse('GANTRY_HOST', `must be an address, not "${host}"`)
  // checks that write nothing run before those that create folders and files
  const checked = {
    host,
    port: port(env),
    databaseUrl: databaseUrl(env),
    adminPassword: read(env, 'GANTRY_ADMIN_PASSWORD'),
    sandbox: onOff(env, 'GANTRY_SANDBOX', true),
    sandboxKubeconfig: read(env, 'GANTRY_SANDBOX_KUBECONFIG'),
    sandboxRegistry: sandboxRegistry(env),
    embeddedAgent: onOff(env, 'GANTRY_EMBEDDED_AGENT', loopback(host)),
    embeddedCapacity: capacity(env),
    agentTokenFile: read(env, 'GANTRY_AGENT_TOKEN_FILE'),
    sharesPort: onOff(env, 'GANTRY_SHARES_PORT', false),
    readyFile: read(env, 'GANTRY_READY_FILE'),
    publicUrl: url(env, 'GANTRY_PUBLIC_URL', ['http:', 'https:']),
    registration: onOff(env, 'GANTRY_REGISTRATION', false),
    outboundAllow: cidrs(env, 'GANTRY_OUTBOUND_ALLOW'),
    outboundProxy: url(env, 'GANTRY_OUTBOUND_PROXY', ['http:', 'https:']),
    caFile: file(env, 'GANTRY_CA_FILE'),
    trustedProxies: cidrs(env, 'GANTRY_TRUSTED_PROXIES'),
    tls: tls(env),
    metricsToken: read(env, 'GANTRY_METRICS_TOKEN'),
    logLevel: level(env),
    rateLimit: onOff(env, 'GANTRY_RATE_LIMIT', true),
    buildArtifactBytes: gigabytes(env, 'GANTRY_BUILD_ARTIFACTS_GB', 10),
    buildCacheBytes: gigabytes(env, 'GANTRY_BUILD_CACHE_GB', 10),
    buildTerminalSeconds: terminalMinutes(env) * 60,
    s3: s3(env),
    nodeName: read(env, 'GANTRY_NODE_NAME'),
    debugImage: image(env, 'GANTRY_DEBUG_IMAGE', 'docker.io/library/busybox:1.37'),
    helm: file(env, 'GANTRY_HELM'),
    clusterAgent: {
      program: resolve(read(env, 'GANTRY_CLUSTER_AGENT') ?? join(root, 'apps/agent/dist/cluster-agent.mjs')),
      image: image(env, 'GANTRY_CLUSTER_AGENT_IMAGE', 'docker.io/library/node:24-alpine'),
    },
    buildAgent: {
      program: resolve(read(env, 'GANTRY_BUILD_AGENT') ?? join(root, 'apps/agent/dist/agent.mjs')),
      image: image(env, 'GANTRY_BUILD_AGENT_IMAGE', 'docker.io/library/node:24'),
    },
    console: resolve(read(env, 'GANTRY_CONSOLE') ?? join(root, 'apps/console/dist')),
    licenseKey: licenseKey(env),
    product: { name: read(env, 'GANTRY_PRODUCT_NAME') ?? 'Gantry', version: read(env, 'GANTRY_VERSION') ?? '0.1.0' },
  }
  const data = dataFolder(env)
  return {
    ...checked,
    data,
    path: env['PATH'] ?? '',
    blobs: resolve(read(env, 'GANTRY_BLOBS') ?? join(data, 'blobs')),
    secretKeys: secretKeys(env, data),
  }
}

const passwordIn = (address = ''): string => /^\w+:\/\/[^/@]*?:([^/@]*)@/.exec(address)?.[1] ?? ''

/** These are masked in every log line. None of them belongs to a team. */
export const ownSecrets = (config: Config): string[] => [
  ...config.secretKeys,
  ...[config.databaseUrl, config.outboundProxy].map(passwordIn).flatMap((password) => [password, unescape(password)]),
  config.adminPassword ?? '',
  config.metricsToken ?? '',
  config.s3?.secretKey ?? '',
]

export const listensOnLoopback = (config: Pick<Config, 'host'>): boolean => loopback(config.host)

/** For a server that listens on all addresses: the address by which this machine reaches it. */
const reachable: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/** The product's origin, without a slash at the end: GANTRY_PUBLIC_URL, or else the address that it listens on. */
export function ownOrigin({ publicUrl, host, port, tls }: Pick<Config, 'publicUrl' | 'host' | 'port' | 'tls'>): string {
  if (publicUrl !== undefined) return publicUrl
  const name = reachable[host] ?? (host.includes(':') ? `[${host}]` : host)
  return `${tls ? 'https' : 'http'}://${name}:${port}`
}
