import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { Fault } from '../../kernel/fault.ts'
import type { Kube } from '../kube/client.ts'
import { openGateway, type GatewayOptions } from './gateway.ts'

export interface HelmRun extends GatewayOptions {
  /** The cluster, called in the name of the release's owner. */
  kube: Kube
  /** Arguments after the program's name; they refer to `files` by name. */
  args: readonly string[]
  files?: Record<string, string | Buffer>
  signal: AbortSignal
  /** Milliseconds. Default: 6 minutes. */
  timeout?: number
}

export interface HelmEnd {
  /** Null if it was killed. */
  code: number | null
  stdout: string
  /** The standard error output, unchanged. */
  stderr: string
}

/** The helm 3 program. */
export interface Helm {
  /** The version of helm; undefined if there is no usable one. */
  version(): Promise<string | undefined>
  /** Throws `helm-missing` if there is no program, and `helm-limits` if it exceeded its time, memory or output. */
  run(run: HelmRun): Promise<HelmEnd>
}

export interface HelmSettings {
  /** The value of GANTRY_HELM. */
  program: string | undefined
  path: string
  /** The folder in which each run gets its own home. */
  folder: string
}

const most = { stdout: 64 * 1_048_576, stderr: 1_048_576, residentBytes: 1_073_741_824, runMs: 6 * 60_000 }
const pollMs = 500
const leftAfterMs = 60 * 60_000

function findBinary({ program, path }: HelmSettings): string | undefined {
  const names = program === undefined ? path.split(delimiter).map((folder) => join(folder, 'helm')) : [program]
  return names.find((name) => {
    try {
      accessSync(name, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** The resident memory of a process; undefined if the system does not report it. */
async function residentBytes(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  const pages = Number(text.split(' ')[1])
  return Number.isFinite(pages) && pages > 0 ? pages * 4096 : undefined
}

/** Kills the program and everything that it started, which are in its own process group. */
function kill(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // the program has already ended
  }
}

/** Only what helm needs: nothing of this server's environment, no plugins, and no repositories of a user's home. */
const environmentOf = (home: string, kubeconfig: string) => ({
  HOME: home,
  TMPDIR: home,
  PATH: '/nonexistent',
  KUBECONFIG: kubeconfig,
  HELM_CACHE_HOME: join(home, 'cache'),
  HELM_CONFIG_HOME: join(home, 'config'),
  HELM_DATA_HOME: join(home, 'data'),
  HELM_PLUGINS: join(home, 'plugins'),
  HELM_DRIVER: 'secret',
  GOMEMLIMIT: '512MiB',
  GOMAXPROCS: '2',
})

function spawned(
  program: string,
  args: readonly string[],
  home: string,
  { signal, timeout = most.runMs, kubeconfig = '' }: { signal: AbortSignal; timeout?: number; kubeconfig?: string },
): Promise<HelmEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<HelmEnd>()
  const child = spawn(program, args, {
    cwd: home,
    env: environmentOf(home, kubeconfig),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let refused: Error | undefined
  const stop = (reason: Error): void => {
    refused ??= reason
    kill(child)
  }
  const tooMuch = () => stop(new Fault('unavailable', 'helm-limits'))
  const aborted = () => stop(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
  signal.addEventListener('abort', aborted, { once: true })
  if (signal.aborted) aborted()
  const late = setTimeout(tooMuch, timeout)
  const looking = setInterval(() => {
    if (child.pid === undefined) return
    void residentBytes(child.pid).then((bytes) => (bytes ?? 0) > most.residentBytes && tooMuch())
  }, pollMs)
  const said = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  for (const name of ['stdout', 'stderr'] as const) {
    let size = 0
    child[name].on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > most[name]) tooMuch()
      else said[name].push(chunk)
    })
  }
  const over = () => {
    clearTimeout(late)
    clearInterval(looking)
    signal.removeEventListener('abort', aborted)
  }
  child.once('error', (error) => {
    over()
    reject(error)
  })
  child.once('close', (code) => {
    over()
    // processes that the program started may outlive it
    kill(child)
    const text = (name: 'stdout' | 'stderr') => Buffer.concat(said[name]).toString('utf8')
    if (refused) reject(refused)
    else resolve({ code, stdout: text('stdout'), stderr: text('stderr') })
  })
  return promise
}

export function createHelm(settings: HelmSettings): Helm {
  const { folder } = settings
  const versions = new Map<string, Promise<string | undefined>>()
  let swept: Promise<void> | undefined

  /** Removes homes that a killed server left: they contain values of releases. */
  async function sweep(): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(folder)) {
      const home = join(folder, name)
      const { mtimeMs } = await stat(home).catch(() => ({ mtimeMs: Date.now() }))
      if (Date.now() - mtimeMs > leftAfterMs) await rm(home, { recursive: true, force: true })
    }
  }

  async function inHome<T>(use: (home: string) => Promise<T>): Promise<T> {
    await (swept ??= sweep())
    const home = await mkdtemp(join(folder, 'run-'))
    try {
      return await use(home)
    } finally {
      await rm(home, { recursive: true, force: true })
    }
  }

  async function askVersion(program: string): Promise<string | undefined> {
    try {
      const signal = AbortSignal.timeout(10_000)
      const { stdout } = await inHome((home) =>
        spawned(program, ['version', '--template', '{{.Version}}'], home, { signal }),
      )
      return /^v3\.\d+(\.\d+)?/.exec(stdout.trim())?.[0]
    } catch {
      return undefined
    }
  }

  async function version(): Promise<string | undefined> {
    const program = findBinary(settings)
    if (program === undefined) return undefined
    const pending = versions.get(program) ?? askVersion(program)
    versions.set(program, pending)
    const found = await pending
    if (found === undefined) versions.delete(program)
    return found
  }

  return {
    version,
    run: async ({ kube, args, files = {}, signal, timeout, ...reach }) => {
      const program = findBinary(settings)
      if (program === undefined || (await version()) === undefined) throw new Fault('unavailable', 'helm-missing')
      return inHome(async (home) => {
        const gateway = await openGateway(kube, reach)
        try {
          const kubeconfig = join(home, 'kubeconfig')
          await writeFile(kubeconfig, gateway.kubeconfig, { mode: 0o600 })
          for (const [name, content] of Object.entries(files))
            await writeFile(join(home, name), content, { mode: 0o600 })
          return await spawned(program, args, home, { signal, kubeconfig, ...(timeout !== undefined && { timeout }) })
        } finally {
          await gateway.close()
        }
      })
    },
  }
}
