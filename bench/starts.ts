import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { choosePort } from '../apps/launcher/src/ports.ts'
import { figure, ms, repeat } from './figures.ts'

const root = resolve(import.meta.dirname, '..')

/** The time from the launcher's start, as `npm start` starts it once all is built, until the server answers, and the time of a drain. */
async function start(data: string, port: number): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, [join(root, 'apps/launcher/src/start.ts'), '--bundled'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/gantry'),
      GANTRY_DATA: data,
      GANTRY_PORT: String(port),
      ...(process.env['GANTRY_LOG_LEVEL'] && { GANTRY_LOG_LEVEL: process.env['GANTRY_LOG_LEVEL'] }),
    },
    stdio: ['ignore', process.env['GANTRY_LOG_LEVEL'] ? 'inherit' : 'ignore', 'inherit'],
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const answers = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => ok)
  while (!(await answers().catch(() => false))) await sleep(5)
  const took = performance.now() - began
  // so that its agent and its sandbox are up as well before it ends
  await sleep(1_500)
  child.kill('SIGTERM')
  await ended
  return took
}

/** The time until the product's login page answers, with a new data folder and with an existing one. */
export async function benchStarts(): Promise<void> {
  const data = join(tmpdir(), `gantry-e2e-${randomBytes(4).toString('hex')}`)
  try {
    const port = await choosePort('127.0.0.1')
    figure('first start', [await start(data, port)], ms)
    figure('second start', await repeat(7, () => start(data, port)), ms)
  } finally {
    await rm(data, { recursive: true, force: true, maxRetries: 5 })
  }
}
