import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { Work } from '@gantry/contract/agents/work'
import { fakeServer, type FakeServer } from '../test/fake-server.ts'
import { plenty, script, work } from '../test/works.ts'
import { client as openClient } from './client.ts'
import { processExecutor, type ProcessExecutor } from './executors/process.ts'
import { isAlive, readIdentity } from './executors/process-tree.ts'
import { transport, type Transport } from './http.ts'
import { machineNetwork } from './network/network.ts'
import { startBuild, type RunnerContext, type Build } from './runner.ts'
import { steps } from './steps/all.ts'

/** Builds in this process, without isolation, for cases that would take a whole agent a minute. */
let dir: string
let server: FakeServer
let http: Transport
let executor: ProcessExecutor
const logged: string[] = []

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'gantry-runner-'))
  server = await fakeServer()
  http = transport()
  logged.length = 0
  const where = { dir, hide: [], path: '/usr/bin:/bin', tokenFile: join(dir, 'token'), home: '/root', limits: plenty }
  executor = processExecutor(where, 'none', machineNetwork, (_, msg) => logged.push(msg))
})
afterEach(async () => {
  vi.restoreAllMocks()
  http.close()
  await server.close()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
})

const bench = (more: Partial<RunnerContext> = {}): RunnerContext => ({
  client: openClient({ serverUrl: server.url, token: () => 'the-token', transport: http }),
  executor,
  log: (_, msg) => logged.push(msg),
  ca: undefined,
  outside: () => http,
  steps,
  beatMs: 100,
  leaseMs: 60_000,
  compressed: true,
  ...more,
})

async function begin(given: ReturnType<typeof work>, more: Partial<RunnerContext> = {}): Promise<Build> {
  server.give(given)
  const whole = Work.parse(given)
  return startBuild(bench(more), whole, await executor.prepare(whole, { index: 0 }))
}

/** Returns a function that moves the clock of leases forward by milliseconds. */
function clock(): (ms: number) => void {
  const now = performance.now.bind(performance)
  let moved = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + moved)
  return (ms) => {
    moved += ms
  }
}

test('without contact to the server for the time of a lease, the step is ended and its files are removed', async () => {
  const move = clock()
  const given = work([script('echo up; sleep 60')])
  const leaseMs = 6_000
  const build = await begin(given, { leaseMs })
  const at = server.builds.get(given.jobId)
  // the log and the events are sent separately, so each may be ahead
  await eventually(() => {
    expect(at?.log(0)).toBe('up\n')
    expect(at?.events).not.toEqual([])
  })
  const step = readIdentity(join(build.room.dir, 'steps/0/pid'))
  server.trouble = () => 'cut'
  // once a call was aborted, no answer is pending any more
  const before = server.requests
  await eventually(
    () => server.requests,
    (requests) => requests > before,
  )
  move(leaseMs)
  await build.done
  expect(step !== undefined && isAlive(step)).toBe(false)
  expect(existsSync(build.room.dir)).toBe(false)
  expect(at?.events.map((event) => event.type)).toEqual(['step'])
})

test('a long build keeps reporting to the server', async () => {
  const move = clock()
  const go = join(dir, 'go')
  const given = work([script(`until [ -e ${go} ]; do sleep 0.05; done`)])
  const leaseMs = 6_000
  const build = await begin(given, { leaseMs })
  for (let part = 0; part < 5; part++) {
    move(leaseMs / 2)
    // the answer to the first of them came after the clock was moved
    const before = server.requests
    await eventually(
      () => server.requests,
      (requests) => requests >= before + 2,
    )
  }
  writeFileSync(go, '')
  await build.done
  expect(server.builds.get(given.jobId)?.events.at(-1)).toMatchObject({ type: 'end', state: 'success' })
})

test('a log over a network is sent compressed, and arrives unchanged', async () => {
  const given = work([script('seq 1 20000')])
  const encodings = new Set<unknown>()
  server.trouble = (request) => {
    if (request.url?.includes('/log')) encodings.add(request.headers['content-encoding'])
    return undefined
  }
  await (
    await begin(given)
  ).done
  expect(server.builds.get(given.jobId)?.log(0)).toHaveLength(108_894)
  expect(encodings).toContain('zstd')
})

test('an unexpected failure of a step is reported by its message, and logged by the agent', async () => {
  const given = work([script('true')])
  const broken = { ...steps, script: () => Promise.reject(new TypeError('x is not a function')) }
  await (
    await begin(given, { steps: broken })
  ).done
  expect(server.builds.get(given.jobId)?.events.at(-1)).toMatchObject({
    state: 'failed',
    reason: { key: 'agents-defect', vars: { message: 'x is not a function' } },
  })
  expect(logged).toContain('a step failed in a way that nobody foresaw')
})

test('a full disk fails the build with that cause', async () => {
  const given = work([script('true'), script('true', { always: true })])
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  const start: RunnerContext['executor']['start'] = () => Promise.reject(full)
  await (
    await begin(given, { executor: { ...executor, start } })
  ).done
  expect(server.builds.get(given.jobId)?.events.at(-1)).toMatchObject({
    state: 'failed',
    reason: { key: 'agents-storage-full' },
  })
})

test('even without isolation, processes that a step leaves behind are ended with it', async () => {
  const mark = `${process.pid}7`
  const given = work([
    script(`setsid sleep 91${mark} < /dev/null > /dev/null 2>&1 & sleep 92${mark} & sleep 0.1; echo on`),
  ])
  await (
    await begin(given)
  ).done
  expect(server.builds.get(given.jobId)?.log(0)).toBe('on\n')
  expect(running(mark)).toEqual([])
})

test('another agent’s build with the same number is left running', async () => {
  const mark = `${process.pid}8`
  const given = work([script('echo on')])
  const numbers = `${given.jobId}-${given.attempt}-0`
  const other = spawn('sleep', [`93${mark}`], { env: { GANTRY_STEP_ID: numbers, PATH: '/usr/bin:/bin' } })
  try {
    await (
      await begin(given)
    ).done
    expect(running(mark)).toHaveLength(1)
  } finally {
    other.kill()
  }
})

test('a step that was killed from outside is reported as such', async () => {
  const given = work([script('echo up; sleep 60')])
  const build = await begin(given)
  await eventually(
    () => server.builds.get(given.jobId)?.log(0),
    (log) => log === 'up\n',
  )
  const step = readIdentity(join(build.room.dir, 'steps/0/pid'))
  process.kill(-(step?.pid ?? 0), 'SIGKILL')
  await build.done
  expect(server.builds.get(given.jobId)?.events.at(-1)).toMatchObject({ reason: { key: 'agents-step-lost' } })
})

test('a killed command differs from a failed script', async () => {
  const given = work([script('sh -c "kill -9 \\$\\$"')])
  await (
    await begin(given)
  ).done
  expect(server.builds.get(given.jobId)?.events.at(-1)).toMatchObject({
    reason: { key: 'agents-script-killed', vars: { code: 137 } },
  })
})

const deploys: StepInput = { type: 'deploy', name: 'deploy', stackUuid: randomUUID(), service: 'web' }
test.each([
  ['a script', script('sleep 60', { timeoutMinutes: 1 })],
  ['what the server does', deploys],
])('a step’s own limit ends %s, and the build continues as after any failure', async (_, step) => {
  server.on.deploy = () => ({ state: 'running', log: [], reason: null })
  const given = work([step, script('echo still', { always: true })])
  server.give(given)
  const whole = Work.parse(given)
  const [first] = whole.stages[0]?.steps ?? []
  if (!first || !('timeoutMinutes' in first)) throw new Error('no step')
  first.timeoutMinutes = 0.005
  const build = startBuild(bench(), whole, await executor.prepare(whole, { index: 0 }))
  await build.done
  const at = server.builds.get(given.jobId)
  const failed = { state: 'failed', reason: { key: 'agents-step-timed-out', vars: { minutes: 0.005 } } }
  expect(at?.events.filter((event) => event.type === 'step' && event.step === 0).at(-1)).toMatchObject(failed)
  expect(at?.events.at(-1)).toMatchObject({ type: 'end', ...failed })
  expect(at?.log(1)).toBe('still\n')
})

function running(mark: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        .split('\0')
        .some((arg) => arg.endsWith(mark))
    } catch {
      return false
    }
  })
}

test('a log that the server never accepts ends with the build’s timeout, and the end of the build is reported', async () => {
  server.trouble = (request) => (request.url?.includes('/log') === true ? 503 : undefined)
  const given = work([script('echo never stored')], { timeoutSeconds: 1 })
  // after half a lease a log is given up; a whole lease without a call, as on a busy machine, drops the build
  const build = await begin(given, { leaseMs: 4000 })
  expect(await server.builds.get(given.jobId)?.ended).toMatchObject({
    state: 'failed',
    reason: { key: 'agents-build-timed-out' },
    logs: [],
  })
  await build.done
})

test('a step fails with the cause if the server keeps failing at its log', async () => {
  server.trouble = (request) => (request.url?.includes('/log') === true ? 500 : undefined)
  const given = work([script('echo never stored')])
  const pauseMs = { first: 1, longest: 1 }
  const client = openClient({ serverUrl: server.url, token: () => 'the-token', transport: http, pauseMs })
  const build = await begin(given, { client })
  expect(await server.builds.get(given.jobId)?.ended).toMatchObject({
    state: 'failed',
    reason: { key: 'agents-server-refused', vars: { text: 'on purpose' } },
  })
  await build.done
})
