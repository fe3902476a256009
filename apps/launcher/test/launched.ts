import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@gantry/waiting/eventually'
import { choosePort } from '../src/ports.ts'

type Env = Record<string, string>

export interface Launched {
  pid: number
  url: string
  /** Everything printed so far, on both outputs. */
  said: () => string
  /** Resolves when such text has been printed. */
  says: (pattern: RegExp) => Promise<void>
  /** Exit code or signal. */
  ended: Promise<number | NodeJS.Signals | null>
  signal: (signal: NodeJS.Signals) => void
}

/** Time to start, end or restart a whole product. */
export const patient = { ms: 60_000 }

const standIns = join(import.meta.dirname, 'stand-in-start.ts')

/** The real product, without what start.mjs does before it. */
export const realParts = join(import.meta.dirname, '../src/start.ts')

/** Keeps the parts that tests start from compiling the same sources again. */
const cache = process.env['NODE_COMPILE_CACHE']
const compileCache = cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }

/** Runs `npm start` with small replacements of the parts; PostgreSQL is real. */
export const launch = async (data: string, env: Env = {}, script = standIns): Promise<Launched> => {
  const port = env['GANTRY_PORT'] ?? String(await choosePort('127.0.0.1'))
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env['PATH'], ...compileCache, GANTRY_DATA: data, GANTRY_PORT: port, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal))
  })
  let over = false
  // not `exit`, after which more output may come
  child.once('close', () => (over = true))
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    said: () => text,
    says: async (pattern) => {
      await eventually(
        () => text,
        (said) => pattern.test(said) || over,
        patient,
      )
      if (!pattern.test(text)) throw new Error(`It ended, and had said:\n${text}`)
    },
    ended,
    signal: (signal) => child.kill(signal),
  }
}

export const pidOf = (data: string, part: 'server' | `server-${number}` | 'agent' | 'sandbox'): number =>
  (JSON.parse(readFileSync(join(data, 'run', `${part}.json`), 'utf8')) as { pid: number }).pid

export const postgresPid = (data: string): number =>
  Number(readFileSync(join(data, 'postgres/18/postmaster.pid'), 'utf8').split('\n')[0])
