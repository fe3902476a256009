import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { homedir, hostname, totalmem } from 'node:os'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { parseCidrs, type Cidr } from '@gantry/addresses/policy'
import { findProgram } from './containers/engine.ts'
import type { ApiOptions } from './kubernetes/api.ts'
import type { JobSettings } from './kubernetes/manifest.ts'
import type { Port } from './network/destinations.ts'
import { whyNoNat } from './network/nat.ts'
import { agentLabel, labelsOfAgent } from './protocol.ts'

/** Ends the agent before it does anything. The message is one line that names the variable and the remedy. */
export class ConfigError extends Error {}

/**
 * How steps reach other hosts: `nat` by address translation, `proxy` through a proxy in the agent, `host` over the
 * machine's own network.
 */
export type NetworkMode = 'nat' | 'proxy' | 'host'

/** Limits of one build on this machine. */
export interface Limits {
  /** Bytes. */
  memory: number
  processes: number
  /** Bytes of its folder. */
  disk: number
}

/** Bounds of all the workspaces that are kept of failed jobs for retries. */
export interface KeptBounds {
  /** The number of workspaces; 0 keeps none. */
  count: number
  bytes: number
  /** Milliseconds for which each is kept. */
  ms: number
}

export interface Config {
  /** Without a trailing slash. */
  serverUrl: string
  /** The file with the credential; an agent that registers itself creates it. */
  tokenFile: string
  /** The one-time token that an administrator got for this agent; undefined if the credential comes otherwise. */
  oneTimeToken: string | undefined
  /** The agent's own folder: running builds and, within bounds, the workspaces of failed ones. */
  dir: string
  /** The number of concurrent builds. */
  capacity: number
  labels: string[]
  /** Folders that are hidden from steps, besides the agent's own: the product's data. */
  hide: string[]
  /** Slot n runs as the uid and gid firstUid + n; only if the agent is root. */
  firstUid: number
  /** A certificate authority for the server and the registries, in PEM. */
  ca: string | undefined
  /** How steps reach the outside; undefined: the best way that this machine allows. */
  network: NetworkMode | undefined
  /** Address ranges that steps may reach besides public ones, by the rules for users' URLs. */
  allow: Cidr[]
  /** Ports of this machine's loopback that steps may nevertheless reach. */
  reach: Port[]
  /** The address of the server for browsers and users' URLs. */
  publicUrl: string | undefined
  /** Limits of one build on this machine. */
  limits: Limits
  kept: KeptBounds
  /** The PATH of steps. */
  path: string
  /** The home of the agent's user. */
  home: string
  /** The container engine; undefined: none is on this machine, or the operator wants none. */
  engine: { program: string; environment: Record<string, string> } | undefined
  /** How jobs run in a cluster; undefined: they run on this machine. */
  kubernetes: KubernetesConfig | undefined
}

export interface KubernetesConfig {
  api: ApiOptions
  settings: JobSettings
}

/** The configuration of a process in a pod that runs one job; the agent has created the pod. */
export interface JobConfig {
  /** The folder with the job. */
  given: string
  serverUrl: string
  ca: string | undefined
  limits: { memory: number; disk: number }
}

type Env = Record<string, string | undefined>

/** Reads the agent's environment; nothing else reads it. */
export function readConfig(env: Env): Config {
  const root = process.getuid?.() === 0
  const dir = folder(
    env['GANTRY_AGENT_DIR'] ?? (root ? '/var/lib/gantry-agent' : join(homedir(), '.local/share/gantry-agent')),
    'GANTRY_AGENT_DIR',
  )
  const capacity = integer(env, 'GANTRY_AGENT_CAPACITY', 2, 1, 100)
  return {
    serverUrl: url(env['GANTRY_SERVER_URL'] ?? '', 'GANTRY_SERVER_URL'),
    tokenFile: resolve(env['GANTRY_AGENT_TOKEN_FILE'] || join(dir, 'token')),
    oneTimeToken: env['GANTRY_AGENT_TOKEN'] || undefined,
    dir,
    capacity,
    labels: labels(list(env['GANTRY_AGENT_LABELS'], ',')),
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
    kept: {
      count: integer(env, 'GANTRY_AGENT_KEPT_WORKSPACES', 10, 0, 1000),
      bytes: integer(env, 'GANTRY_AGENT_KEPT_MB', 2048, 1, 1_000_000_000) * mb,
      ms: integer(env, 'GANTRY_AGENT_KEPT_HOURS', 24, 1, 8760) * 3_600_000,
    },
    path: programs(env['PATH'] ?? '', root),
    home: homedir(),
    engine: engineOf(env),
    kubernetes: kubernetesOf(env, dir),
  }
}

/** Undefined: this process is an agent, not one of its jobs. */
export function readJobConfig(env: Env): JobConfig | undefined {
  const given = env['GANTRY_AGENT_JOB'] ?? ''
  if (given === '') return undefined
  const authority = join(given, 'ca.crt')
  return {
    given,
    serverUrl: url(env['GANTRY_SERVER_URL'] ?? '', 'GANTRY_SERVER_URL'),
    ca: existsSync(authority) ? text(authority, 'GANTRY_AGENT_JOB') : undefined,
    limits: buildLimits(env),
  }
}

const usualAccount = '/var/run/secrets/kubernetes.io/serviceaccount'

function kubernetesOf(env: Env, dir: string): KubernetesConfig | undefined {
  const named = env['GANTRY_AGENT_EXECUTOR'] ?? ''
  if (named === '' || named === 'process') return undefined
  if (named !== 'kubernetes') throw new ConfigError(`GANTRY_AGENT_EXECUTOR must be process or kubernetes, not ${named}`)
  const image = env['GANTRY_AGENT_IMAGE'] ?? ''
  if (image === '')
    throw new ConfigError('GANTRY_AGENT_IMAGE is not set: the image with node and git that jobs begin in')
  const host = env['KUBERNETES_SERVICE_HOST'] ?? ''
  const port = env['KUBERNETES_SERVICE_PORT'] ?? '443'
  const server = URL.parse(env['GANTRY_KUBE_SERVER'] ?? `https://${host.includes(':') ? `[${host}]` : host}:${port}`)
  if (server === null)
    throw new ConfigError(
      'KUBERNETES_SERVICE_HOST is not set: GANTRY_AGENT_EXECUTOR=kubernetes is for a pod of a cluster',
    )
  const account = resolve(env['GANTRY_SERVICE_ACCOUNT'] ?? usualAccount)
  const namespace = text(join(account, 'namespace'), 'GANTRY_SERVICE_ACCOUNT').trim()
  const user = integer(env, 'GANTRY_AGENT_JOB_USER', 0, 0, 2_000_000_000)
  return {
    api: { server: server.origin, account, namespace },
    settings: {
      namespace,
      // a restarted pod keeps its name and its folder
      owner: createHash('sha256').update(`${hostname()} ${dir}`).digest('hex').slice(0, 10),
      serverUrl: url(env['GANTRY_SERVER_URL'] ?? '', 'GANTRY_SERVER_URL'),
      image,
      cpu: integer(env, 'GANTRY_AGENT_BUILD_CPU_MILLIS', 1000, 1, 1_000_000),
      serviceMemory: integer(env, 'GANTRY_AGENT_SERVICE_MEMORY_MB', 512, 16, 1_000_000) * mb,
      user: user === 0 ? undefined : user,
      ca: env['GANTRY_CA_FILE'] === undefined ? undefined : text(env['GANTRY_CA_FILE'], 'GANTRY_CA_FILE'),
      ...buildLimits(env),
    },
  }
}

/** In a cluster the limits are requested from it, whatever the machine has. */
const buildLimits = (env: Env): { memory: number; disk: number } => ({
  memory: integer(env, 'GANTRY_AGENT_BUILD_MEMORY_MB', 1024, 16, 1_000_000) * mb,
  disk: integer(env, 'GANTRY_AGENT_BUILD_DISK_MB', 10_240, 1, 1_000_000_000) * mb,
})

/** Searched on the agent's own PATH, because steps do not run it. */
function engineOf(env: Env): Config['engine'] {
  const named = env['GANTRY_AGENT_CONTAINER_ENGINE'] || undefined
  const program = findProgram(named, env['PATH'] ?? usual)
  if (program === undefined && named !== undefined && named !== 'none')
    throw new ConfigError(`GANTRY_AGENT_CONTAINER_ENGINE: there is no program ${named}. Install it, or set none`)
  return program === undefined ? undefined : { program, environment: engineEnvironment(env) }
}

const engineEnvironment = (env: Env): Record<string, string> => ({
  PATH: usual,
  ...Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined &&
      /^(HOME|TMPDIR|DOCKER_|CONTAINER|REGISTRY_AUTH_FILE|XDG_|HTTPS?_PROXY|NO_PROXY)/i.test(name)
        ? [[name, value]]
        : [],
    ),
  ),
})

/** Read again for each connection after a refusal, so that a credential can be changed without a restart. */
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

function labels(given: string[]): string[] {
  const wrong = given.find((label) => !agentLabel.test(label))
  if (wrong !== undefined)
    throw new ConfigError(`GANTRY_AGENT_LABELS: a label has letters, digits and - _ . = inside, which ${wrong} has not`)
  if (given.length > labelsOfAgent)
    throw new ConfigError(`GANTRY_AGENT_LABELS: at most ${labelsOfAgent} labels, not ${given.length}`)
  return given
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

/** Free bytes of the file system that a folder is on, or will be. */
function freeAt(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return freeAt(dirname(folder))
  }
}

function way(given: string): NetworkMode | undefined {
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
 * The agent's own PATH without the product's tools (anything below a node_modules) and, as root, without folders that
 * the slots' users cannot enter: there, a shell says "permission denied" instead of "not found".
 */
function programs(given: string, root: boolean): string {
  const kept = list(given, ':').filter(
    (path) => isAbsolute(path) && !path.split('/').includes('node_modules') && (!root || untraversable(path) === null),
  )
  return kept.length > 0 ? kept.join(':') : usual
}

/** The topmost folder of a path that others may not enter, or null. Missing folders are skipped. */
export function untraversable(path: string): string | null {
  let at = ''
  for (const part of path.split('/').slice(1)) {
    at += `/${part}`
    const stat = statSync(at, { throwIfNoEntry: false })
    if (stat !== undefined && (stat.mode & 0o001) === 0) return at
  }
  return null
}
