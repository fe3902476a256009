import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { choosePort } from '../src/ports.ts'

type Env = Record<string, string>

export interface Launched {
  pid: number
  url: string
  /** Everything said so far, on both outputs. */
  said: () => string
  /** Resolves when it has said so. */
  says: (pattern: RegExp) => Promise<void>
  /** Exit code or signal. */
  ended: Promise<number | NodeJS.Signals | null>
  signal: (signal: NodeJS.Signals) => void
}

/** Resolves with the first answer that is not undefined. The test's own time limit is the limit. */
export const until = async <T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> => {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await sleep(20)
  }
}

const standIns = join(import.meta.dirname, 'stand-in-start.ts')

/** The product as it is, but for what start.mjs does before it. */
export const realParts = join(import.meta.dirname, '../src/start.ts')

/** What was read once is not read again by each part that a test starts. */
const cache = process.env['NODE_COMPILE_CACHE']
const compileCache = cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }

/** `npm start` with small parts in the place of the real ones; PostgreSQL is real. */
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
  const lost = ended.then(async () => {
    await sleep(50)
    throw new Error(`It ended, and had said:\n${text}`)
  })
  lost.catch(() => undefined)
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    said: () => text,
    says: async (pattern) => {
      await Promise.race([until(() => (pattern.test(text) ? true : undefined)), lost])
    },
    ended,
    signal: (signal) => child.kill(signal),
  }
}

export const pidOf = (data: string, part: 'server' | 'agent' | 'sandbox'): number =>
  (JSON.parse(readFileSync(join(data, 'run', `${part}.json`), 'utf8')) as { pid: number }).pid

export const postgresPid = (data: string): number =>
  Number(readFileSync(join(data, 'postgres/18/postmaster.pid'), 'utf8').split('\n')[0])
