import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, isAbsolute, join, resolve } from 'node:path'

/** What stops the agent before it does anything: one line that names the variable and the way out. */
export class ConfigError extends Error {}

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
  return {
    serverUrl: url(env['GANTRY_SERVER_URL'] ?? ''),
    tokenFile: resolve(required(env, 'GANTRY_AGENT_TOKEN_FILE', 'the file with the credential of this agent')),
    dir,
    capacity: integer(env, 'GANTRY_AGENT_CAPACITY', 2, 1, 100),
    labels: list(env['GANTRY_AGENT_LABELS'], ','),
    hide: [
      ...(env['GANTRY_DATA'] === undefined ? [] : [folder(env['GANTRY_DATA'], 'GANTRY_DATA')]),
      ...list(env['GANTRY_AGENT_HIDE'], delimiter).map((path) => folder(path, 'GANTRY_AGENT_HIDE')),
    ],
    firstUid: integer(env, 'GANTRY_AGENT_FIRST_UID', 61_000, 1000, 2_000_000_000),
    ca: env['GANTRY_CA_FILE'] === undefined ? undefined : text(env['GANTRY_CA_FILE'], 'GANTRY_CA_FILE'),
    path: programs(env['PATH'] ?? '', root),
    home: homedir(),
  }
}

/** Read anew for every connection after a refusal, so that a credential can be changed without a restart. */
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

function url(given: string): string {
  const parsed = URL.parse(given)
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol) || parsed.username !== '')
    throw new ConfigError('GANTRY_SERVER_URL must be the address of the server, such as https://gantry.example.com')
  return parsed.href.replace(/\/+$/, '')
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
