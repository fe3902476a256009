import { spawn, type ChildProcess } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@gantry/waiting/eventually'
import { endLeftNetworks } from './left-networks.ts'

/** The agent as a separate process, which a test may kill. */
export interface AgentProcess {
  dir: string
  home: string
  pid: () => number
  log: () => string
  start: () => Promise<void>
  kill: (signal: NodeJS.Signals) => Promise<void>
  close: () => Promise<void>
}

interface As {
  uid?: number
  /** Words before its command that run it in another namespace. */
  enter?: string[]
  /** Another program than its sources. */
  program?: string
}

/** The isolations that can be tested here; as root, the ordinary user's is tested by becoming one. */
export const modes: { mode: 'root' | 'user'; uid?: number }[] =
  process.getuid?.() === 0 ? [{ mode: 'root' }, { mode: 'user', uid: 65_534 }] : [{ mode: 'user' }]
/** Only the first one in the gate. */
export const someModes = process.env['GANTRY_FULL'] === 'on' ? modes : modes.slice(0, 1)

/** Keeps the agents that tests start from compiling the same sources again. */
const cache = process.env['NODE_COMPILE_CACHE']
const compileCache = cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }

/** Whether a process is about to create a network in this folder; once it holds it, its arguments do not name it. */
const isNamed = (dir: string): boolean =>
  readdirSync('/proc').some((pid) => {
    try {
      const [command = '', ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      return /(unshare|sh)$/.test(command) && words.some((word) => word.startsWith(join(dir, 'net')))
    } catch {
      return false
    }
  })

const main = new URL('../src/main.ts', import.meta.url).pathname

export async function agentProcess(
  serverUrl: string,
  env: Record<string, string> = {},
  parent = tmpdir(),
  { uid, enter = [], program = main }: As = {},
): Promise<AgentProcess> {
  const home = mkdtempSync(join(parent, 'gantry-agent-'))
  const dir = join(home, 'data/agent')
  const token = join(home, 'token')
  writeFileSync(token, 'the-token\n', { mode: 0o600 })
  if (uid !== undefined) for (const path of [home, token]) chownSync(path, uid, uid)
  let child: ChildProcess | undefined
  let said = ''

  const agent: AgentProcess = {
    dir,
    home,
    pid: () => child?.pid ?? 0,
    log: () => said,
    async start() {
      const [command, ...words] = [...enter, process.execPath, program]
      const fresh = spawn(command, words, {
        env: {
          PATH: process.env['PATH'],
          ...compileCache,
          GANTRY_SERVER_URL: serverUrl,
          GANTRY_AGENT_TOKEN_FILE: token,
          GANTRY_AGENT_DIR: dir,
          GANTRY_DATA: join(home, 'data'),
          // tests only serve on this machine
          GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8',
          ...(uid === undefined ? {} : { HOME: home }),
          ...env,
        },
        ...(uid === undefined ? {} : { uid, gid: uid }),
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = fresh
      await new Promise<void>((ready, failed) => {
        const take = (part: Buffer): void => {
          said += part.toString('utf8')
          if (said.includes('the agent is ready')) ready()
        }
        fresh.stdout.on('data', take)
        fresh.stderr.on('data', take)
        fresh.once('exit', (code) => failed(new Error(`the agent ended with ${code}: ${said}`)))
      })
    },
    async kill(signal) {
      const current = child
      if (current === undefined || current.exitCode !== null || current.signalCode !== null) return
      const ended = new Promise((done) => current.once('exit', done))
      current.kill(signal)
      await ended
      said = ''
    },
    async close() {
      await agent.kill('SIGKILL')
      // a network that the agent was creating when it was killed will be completed
      await eventually(
        () => isNamed(dir),
        (named) => !named,
      )
      endLeftNetworks(dir)
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  await agent.start()
  return agent
}
