import { readFileSync, statfsSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { homedir, totalmem } from 'node:os'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { parseCidrs, type Cidr } from '@gantry/addresses/policy'
import type { Port } from './network/destinations.ts'
import { whyNoNat } from './network/nat.ts'

/** What stops the agent before it does anything: one line that names the variable and the way out. */
export class ConfigError extends Error {}

/**
 * How steps reach the outside: `nat` by address translation, `proxy` by a proxy that the agent runs, `host` over the
 * machine's own network.
 */
export type Way = 'nat' | 'proxy' | 'host'

/** What one build may have of this machine. */
export interface Limits {
  /** Bytes. */
  memory: number
  processes: number
  /** Bytes of its folders. */
  disk: number
}

export interface Config {
  /** Without a trailing slash. */
  serverUrl: string
  tokenFile: string
  /** The agent's own folder: builds in work, nothing that outlives them. */
  dir: string
  /** Builds at a time. */
  capacity: number
  labels: string[]
  /** Folders that no step may see, besides the agent's own: the product's data. */
  hide: string[]
  /** Slot n runs as this uid and gid plus n; only where the agent is root. */
  firstUid: number
  /** A certificate authority for the server and the registries, in PEM. */
  ca: string | undefined
  /** How steps reach the outside; undefined: the best way that this machine allows. */
  network: Way | undefined
  /** Ranges that are open to steps beside the public ones, as they are to users' URLs. */
  allow: Cidr[]
  /** Ports of this machine's loopback that steps reach all the same. */
  reach: Port[]
  /** How browsers and users' URLs call the server. */
  publicUrl: string | undefined
  /** What one build may have of this machine. */
  limits: Limits
  /** Where steps look for programs. */
  path: string
  /** The home of the agent's user. */
  home: string
}

type Env = Record<string, string | undefined>

/** The only reader of the environment. */
export function readConfig(env: Env): Config {
  const root = process.getuid?.() === 0
  const dir = folder(
    env['GANTRY_AGENT_DIR'] ?? (root ? '/var/lib/gantry-agent' : join(homedir(), '.local/share/gantry-agent')),
    'GANTRY_AGENT_DIR',
  )
  const capacity = integer(env, 'GANTRY_AGENT_CAPACITY', 2, 1, 100)
  return {
    serverUrl: url(env['GANTRY_SERVER_URL'] ?? '', 'GANTRY_SERVER_URL'),
    tokenFile: resolve(required(env, 'GANTRY_AGENT_TOKEN_FILE', 'the file with the credential of this agent')),
    dir,
    capacity,
    labels: list(env['GANTRY_AGENT_LABELS'], ','),
    hide: [
      ...(env['GANTRY_DATA'] === undefined ? [] : [folder(env['GANTRY_DATA'], 'GANTRY_DATA')]),
      ...list(env['GANTRY_AGENT_HIDE'], delimiter).map((path) => folder(path, 'GANTRY_AGENT_HIDE')),
    ],
    firstUid: integer(env, 'GANTRY_AGENT_FIRST_UID', 61_000, 1000, 2_000_000_000),
    ca: env['GANTRY_CA_FILE'] === undefined ? undefined : text(env['GANTRY_CA_FILE'], 'GANTRY_CA_FILE'),
    network: way(env['GANTRY_AGENT_NETWORK'] ?? ''),
    allow: cidrs(env['GANTRY_OUTBOUND_ALLOW']),
    reach: list(env['GANTRY_AGENT_REACH'], ',').map(loopbackPort),
    publicUrl: env['GANTRY_PUBLIC_URL'] ? url(env['GANTRY_PUBLIC_URL'], 'GANTRY_PUBLIC_URL') : undefined,
    limits: limitsOf(env, dir, capacity),
    path: programs(env['PATH'] ?? '', root),
    home: homedir(),
  }
}

/** Read again for every connection after a refusal, so that a credential can be changed without a restart. */
export function readToken(file: string): string {
  const token = text(file, 'GANTRY_AGENT_TOKEN_FILE').trim()
  if (token === '' || /\s/.test(token)) throw new ConfigError(`GANTRY_AGENT_TOKEN_FILE: ${file} holds no credential`)
  const mode = statSync(file).mode & 0o777
  if ((mode & 0o077) !== 0)
    throw new ConfigError(
      `GANTRY_AGENT_TOKEN_FILE: others may read ${file} (mode ${mode.toString(8)}). Run: chmod 600 ${file}`,
    )
  return token
}

function required(env: Env, name: string, what: string): string {
  const value = env[name]
  if (value === undefined || value === '') throw new ConfigError(`${name} is not set: ${what}`)
  return value
}

function url(given: string, name: string): string {
  const parsed = URL.parse(given)
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol) || parsed.username !== '')
    throw new ConfigError(`${name} must be the address of the server, such as https://gantry.example.com`)
  return parsed.href.replace(/\/+$/, '')
}

const mb = 1024 ** 2

/** By default, all builds together leave this machine a quarter of its memory and half of its free disk. */
function limitsOf(env: Env, dir: string, capacity: number): Limits {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity)
  const most = 1_000_000_000
  const usual = (bytes: number, least: number): number => Math.max(Math.floor(bytes / capacity / mb), least)
  return {
    memory: integer(env, 'GANTRY_AGENT_BUILD_MEMORY_MB', usual(memory * 0.75, 512), 16, most) * mb,
    processes: integer(env, 'GANTRY_AGENT_BUILD_PROCESSES', 1024, 16, 1_000_000),
    disk: integer(env, 'GANTRY_AGENT_BUILD_DISK_MB', usual(freeAt(dir) / 2, 1024), 1, most) * mb,
  }
}

/** Of the file system that a folder is on, or will be. */
function freeAt(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return freeAt(dirname(folder))
  }
}

function way(given: string): Way | undefined {
  if (given === '') return undefined
  if (given !== 'nat' && given !== 'proxy' && given !== 'host')
    throw new ConfigError(`GANTRY_AGENT_NETWORK must be nat, proxy or host, not ${given}`)
  const why = given === 'nat' ? whyNoNat() : ''
  if (why !== '') throw new ConfigError(`GANTRY_AGENT_NETWORK: nat is not possible, ${why}`)
  return given
}

function cidrs(given: string | undefined): Cidr[] {
  const read = parseCidrs(list(given, ','))
  if (read === undefined) throw new ConfigError(`GANTRY_OUTBOUND_ALLOW must be CIDR ranges with commas, not ${given}`)
  return read
}

function loopbackPort(given: string): Port {
  const [, address = '', port = ''] = /^(127\.\d+\.\d+\.\d+):(\d{1,5})$/.exec(given) ?? []
  if (isIP(address) !== 4 || Number(port) < 1 || Number(port) > 65_535)
    throw new ConfigError(`GANTRY_AGENT_REACH must be ports of this machine such as 127.0.0.1:5000, not ${given}`)
  return { address, port: Number(port) }
}

function folder(given: string, name: string): string {
  if (!isAbsolute(given)) throw new ConfigError(`${name} must be an absolute path, not ${given}`)
  const path = resolve(given)
  if (path === '/') throw new ConfigError(`${name} must not be /`)
  return path
}

function integer(env: Env, name: string, otherwise: number, from: number, to: number): number {
  const given = env[name]
  if (given === undefined || given === '') return otherwise
  const value = Number(given)
  if (!Number.isInteger(value) || value < from || value > to)
    throw new ConfigError(`${name} must be a whole number from ${from} to ${to}, not ${given}`)
  return value
}

function text(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new ConfigError(`${name}: ${path} cannot be read (${(cause as NodeJS.ErrnoException).code ?? 'unknown'})`)
  }
}

const list = (given: string | undefined, separator: string): string[] =>
  (given ?? '')
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')

const usual = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * The agent's own PATH without the product's tools (anything below a node_modules) and, as root, without folders that the
 * slots' users cannot reach: a shell that meets one of those says "permission denied" instead of "not found".
 */
function programs(given: string, root: boolean): string {
  const kept = list(given, ':').filter(
    (path) => isAbsolute(path) && !path.split('/').includes('node_modules') && (!root || untraversable(path) === null),
  )
  return kept.length > 0 ? kept.join(':') : usual
}

/** The topmost folder of a path that others may not enter, or null. What does not exist is passed over. */
export function untraversable(path: string): string | null {
  let at = ''
  for (const part of path.split('/').slice(1)) {
    at += `/${part}`
    const stat = statSync(at, { throwIfNoEntry: false })
    if (stat !== undefined && (stat.mode & 0o001) === 0) return at
  }
  return null
}
