import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { Fault } from '../../kernel/fault.ts'

export interface GitRun {
  args: readonly string[]
  /** Like `git -c`, but passed in the environment, because every user of the machine can read an argument list. */
  config?: Record<string, string>
  /** The transports that git may use. Default: `http:https`. */
  protocols?: 'http:https' | 'file' | 'ssh'
  /** Over SSH: writes the files of ssh into the run's home, and returns the path of its configuration. */
  ssh?: ((home: string) => Promise<string>) | undefined
  /** Called before the home is removed. */
  ended?: ((home: string) => Promise<void>) | undefined
  cwd?: string
  input?: string | Buffer
  /** Milliseconds until the whole process tree is killed. */
  timeout: number
  /** Maximum bytes of standard output. */
  maxBytes: number
  /** Ends the run once it has written more bytes than this. */
  disk?: { bytes: () => Promise<number>; most: number }
  /** PEM, trusted in addition to the system's CAs. */
  ca?: string | undefined
  signal?: AbortSignal
}

export interface GitExit {
  end: 'exit'
  code: number
  stdout: Buffer
  stderr: string
}
export type GitEnd = GitExit | { end: 'timeout' } | { end: 'too-large' } | { end: 'disk' }

/** Milliseconds between two checks of what a run has written. */
const diskLook = 200

/** Isolates git: no environment of this process, no configuration of user or system, no prompts, hooks or redirects. */
const hardened = {
  'http.followRedirects': 'false',
  'http.proxy': '',
  'credential.helper': '',
  'core.askPass': '',
  'core.hooksPath': devNull,
  'core.fsmonitor': 'false',
  'safe.directory': '*',
  'transfer.fsckObjects': 'true',
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '10',
}

function environment(
  path: string,
  home: string,
  protocols: string,
  config: Record<string, string>,
): Record<string, string> {
  const settings = Object.entries(config)
  return {
    PATH: path,
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_SSH_COMMAND: 'false',
    GIT_ALLOW_PROTOCOL: protocols,
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_CEILING_DIRECTORIES: home,
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], i) => [
        [`GIT_CONFIG_KEY_${i}`, key],
        [`GIT_CONFIG_VALUE_${i}`, value],
      ]),
    ),
  }
}

/** Runs git in an empty, temporary home. Throws only Fault `git-missing` and the reason of `signal`. */
export async function runGit(path: string, run: GitRun): Promise<GitEnd> {
  const home = await mkdtemp(join(tmpdir(), 'gantry-git-'))
  try {
    const config: Record<string, string> = { ...hardened, ...run.config }
    if (run.ca !== undefined) {
      config['http.sslCAInfo'] = join(home, 'ca.pem')
      await writeFile(config['http.sslCAInfo'], [...rootCertificates, run.ca].join('\n'))
    }
    const env = environment(path, home, run.protocols ?? 'http:https', config)
    if (run.ssh) {
      env['GIT_SSH_COMMAND'] = `ssh -F '${await run.ssh(home)}'`
      env['GIT_SSH_VARIANT'] = 'ssh'
    }
    const end = await spawned(run, home, env)
    await run.ended?.(home)
    return end
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

function spawned(run: GitRun, home: string, env: Record<string, string>): Promise<GitEnd> {
  return new Promise((resolve, reject) => {
    // in its own process group, so that git's helpers end with it
    const child = spawn('git', run.args, { cwd: run.cwd ?? home, env, detached: true, stdio: 'pipe' })
    const stdout: Buffer[] = []
    let bytes = 0
    let stderr = ''
    let ended: 'timeout' | 'too-large' | 'disk' | undefined
    const kill = (): void => {
      if (child.pid === undefined || child.exitCode !== null) return
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        child.kill('SIGKILL')
      }
    }
    const timer = setTimeout(() => {
      ended ??= 'timeout'
      kill()
    }, run.timeout)
    const { disk } = run
    const look =
      disk &&
      setInterval(() => {
        void disk.bytes().then((written) => {
          if (written <= disk.most) return
          ended ??= 'disk'
          kill()
        })
      }, diskLook)
    run.signal?.addEventListener('abort', kill, { once: true })
    if (run.signal?.aborted === true) kill()
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= run.maxBytes) return stdout.push(chunk)
      ended ??= 'too-large'
      return kill()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < 65_536) stderr += chunk.toString('utf8')
    })
    child.stdin.on('error', () => {})
    child.stdin.end(run.input)
    const finish = (): void => {
      clearTimeout(timer)
      clearInterval(look)
      run.signal?.removeEventListener('abort', kill)
    }
    child.once('error', (error: NodeJS.ErrnoException) => {
      finish()
      reject(error.code === 'ENOENT' ? new Fault('unavailable', 'git-missing') : error)
    })
    child.once('close', (code) => {
      finish()
      if (run.signal?.aborted === true) return reject(run.signal.reason)
      if (ended !== undefined) return resolve({ end: ended })
      return resolve({ end: 'exit', code: code ?? -1, stdout: Buffer.concat(stdout), stderr })
    })
  })
}
