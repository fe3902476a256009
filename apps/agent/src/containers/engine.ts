import { spawn } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'

/** A container engine of this machine, with its own storage, registries and credentials. */
export interface Engine {
  kind: 'podman' | 'docker'
  program: string
  version: string
  /** The variables by which it finds its storage, service and credentials; none of the product's. */
  environment: Record<string, string>
}

export interface EngineOutput {
  code: number
  out: string
  err: string
}

export interface EngineOptions {
  program: string
  environment: Record<string, string>
}

const names = ['podman', 'docker']

/** The engine that the operator named, or the first one on the path. */
export function findProgram(named: string | undefined, path: string): string | undefined {
  if (named === 'none') return undefined
  for (const name of named === undefined ? names : [named]) {
    const places = isAbsolute(name) ? [name] : path.split(':').map((folder) => join(folder, name))
    const found = places.find(isProgram)
    if (found !== undefined) return found
  }
  return undefined
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Checks which engine the program is and whether it works; returns a text if it does not. */
export async function openEngine(given: EngineOptions): Promise<Engine | string> {
  const { program } = given
  const version = await call(given, ['--version']).catch((cause: unknown) => ({ code: 1, out: '', err: String(cause) }))
  const kind = /podman/i.test(version.out) ? 'podman' : /docker/i.test(version.out) ? 'docker' : undefined
  if (version.code !== 0 || kind === undefined) return `${program} is neither podman nor docker`
  // an engine without its service, or without rights to its storage, still reports a version
  const works = await call(given, ['ps', '--quiet'])
  return works.code === 0 ? { ...given, kind, version: version.out.trim() } : lastLine(works.err)
}

export function call(
  { program, environment }: EngineOptions,
  words: string[],
  signal?: AbortSignal,
): Promise<EngineOutput> {
  const child = spawn(program, words, {
    cwd: '/',
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal, killSignal: 'SIGKILL' }),
  })
  const parts: Record<'out' | 'err', Buffer[]> = { out: [], err: [] }
  child.stdout.on('data', (part: Buffer) => parts.out.push(part))
  child.stderr.on('data', (part: Buffer) => parts.err.push(part))
  const text = (of: 'out' | 'err'): string => Buffer.concat(parts[of]).toString('utf8')
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('close', (code) => done({ code: code ?? 1, out: text('out'), err: text('err') }))
  })
}

export const lastLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '') ?? ''

/**
 * Limits containers to at most the agent's own limits: engines request more than an agent in a container may set, and
 * then start nothing.
 */
export function ulimits({ disk, processes }: { disk: number; processes: number }): string[] {
  const own = readFileSync('/proc/self/limits', 'latin1')
  const hard = (name: string): number => {
    const [, value = ''] = new RegExp(`^${name}\\s+\\S+\\s+(\\S+)`, 'm').exec(own) ?? []
    return value === 'unlimited' ? -1 : Number(value)
  }
  const least = (wanted: number, most: number): number => (most < 0 ? wanted : Math.min(wanted, most))
  const values = {
    core: 0,
    nofile: least(65_536, hard('Max open files')),
    // higher than the group's limit, because only the group reports that its limit was reached
    nproc: least(processes * 2, hard('Max processes')),
    fsize: least(disk, hard('Max file size')),
  }
  return Object.entries(values).flatMap(([name, value]) => ['--ulimit', `${name}=${value}:${value}`])
}

/** Whether a process listens on a port in the network of `pid`. Makes no connection, which the service might log. */
export function listens(pid: number, port: number): boolean {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return ['tcp', 'tcp6'].some((file) =>
    readIfThere(`/proc/${pid}/net/${file}`)
      .split('\n')
      .some((line) => {
        const [, address = '', , state] = line.trim().split(/\s+/)
        return address.endsWith(local) && state === '0A'
      }),
  )
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
