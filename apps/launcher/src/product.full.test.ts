import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { launch, type Launched, patient, pidOf, postgresPid, realParts } from '../test/launched.ts'
import { identify, isRunning } from './processes.ts'

let base: string
let data: string
let gantry: Launched
let password: string

const start = async (env: Record<string, string> = {}): Promise<Launched> => {
  const started = await launch(data, { GANTRY_RATE_LIMIT: 'off', GANTRY_LOG_LEVEL: 'warn', ...env }, realParts)
  await started.says(/Stop +Ctrl/)
  return started
}

beforeAll(async () => {
  // mkdtemp makes a private folder; if root runs this, PostgreSQL's user cannot pass through it
  base = await mkdtemp(join(tmpdir(), 'gantry-product-'))
  data = join(base, 'data')
  gantry = await start()
  password = /password (\S+) /.exec(gantry.said())?.[1] ?? ''
})

afterAll(async () => {
  gantry.signal('SIGTERM')
  await gantry.ended
  await rm(base, { recursive: true })
})

/** The processes of the product's parts at present. */
const running = (): number[] => [
  ...(['server', 'agent', 'sandbox'] as const).map((part) => pidOf(data, part)),
  postgresPid(data),
]

interface Session {
  token: string
  id: number
}

/** Undefined if there was no answer, or a refusal. */
const logIn = async (): Promise<Session | undefined> => {
  try {
    const response = await fetch(`${gantry.url}/api/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
      signal: AbortSignal.timeout(10_000),
    })
    return response.ok ? ((await response.json()) as { data: Session }).data : undefined
  } catch {
    return undefined
  }
}

const isKnown = async ({ token, id }: Session): Promise<boolean> => {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${gantry.url}/api/users/${id}`, { headers })).ok
}

test('the password that the start prints logs in', async () => {
  expect(await isKnown((await logIn()) ?? { token: '', id: 0 })).toBe(true)
})

test.each(['server', 'postgres'] as const)('answered calls from before and after killing %s persist', async (part) => {
  const answered: Session[] = []
  const enough = new AbortController()
  const work = (async () => {
    while (!enough.signal.aborted) {
      const session = await logIn()
      if (session) answered.push(session)
      // repeated refusals would take the processor from the part that starts
      else await sleep(50)
    }
  })()
  await eventually(
    () => answered.length,
    (calls) => calls >= 3,
    patient,
  )
  process.kill(part === 'server' ? pidOf(data, 'server') : postgresPid(data), 'SIGKILL')
  await gantry.says(part === 'server' ? /The server is back/ : /PostgreSQL is back/)
  const before = answered.length
  await eventually(
    () => answered.length,
    (calls) => calls >= before + 3,
    patient,
  )
  enough.abort()
  await work
  expect(await Promise.all(answered.map(isKnown))).toEqual(answered.map(() => true))
})

test(
  'npm start itself is killed while serving: the next one cleans up, and answered calls persist',
  { timeout: 60_000 },
  async () => {
    const answered: Session[] = []
    const enough = new AbortController()
    const work = (async () => {
      while (!enough.signal.aborted) {
        const session = await logIn()
        if (session) answered.push(session)
        // repeated refusals would take the processor from the parts that start
        else await sleep(50)
      }
    })()
    await eventually(
      () => answered.length,
      (calls) => calls >= 3,
      patient,
    )
    const left = running().map((pid) => identify(pid))
    gantry.signal('SIGKILL')
    await gantry.ended
    gantry = await start()
    const before = answered.length
    await eventually(
      () => answered.length,
      (calls) => calls >= before + 3,
      patient,
    )
    enough.abort()
    await work
    const now = new Set(running())
    expect(left.filter((one) => one && isRunning(one) && !now.has(one.pid))).toEqual([])
    expect(await Promise.all(answered.map(isKnown))).toEqual(answered.map(() => true))
  },
)

test.runIf(process.platform === 'linux')(
  'two servers share sessions, and one answers while the other restarts',
  async () => {
    gantry.signal('SIGTERM')
    await gantry.ended
    gantry = await start({ GANTRY_SERVERS: '2' })
    await eventually(() => isRunning(identify(pidOf(data, 'server-2')) ?? { pid: 0, started: '' }), Boolean, patient)
    const session = await eventually(logIn, Boolean, patient)
    for (const name of ['server', 'server-2'] as const) {
      process.kill(pidOf(data, name), 'SIGKILL')
      await gantry.says(new RegExp(`The ${name} ended`))
      expect(session && (await eventually(() => isKnown(session), Boolean))).toBe(true)
      expect(gantry.said()).not.toContain(`The ${name} is back`)
      await gantry.says(new RegExp(`The ${name} is back`))
    }
  },
)

test('a session outlives a drain and the next start', async () => {
  const session = await logIn()
  const parts = running()
  gantry.signal('SIGTERM')
  expect(await gantry.ended).toBe(0)
  expect(parts.filter((pid) => identify(pid))).toEqual([])
  gantry = await start()
  expect(session && (await isKnown(session))).toBe(true)
})
