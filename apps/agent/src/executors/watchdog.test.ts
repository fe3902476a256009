import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import type { Work } from '../protocol.ts'
import { plenty } from '../../test/works.ts'
import { machineNetwork } from '../network/network.ts'
import { processExecutor, type ProcessExecutor } from './process.ts'
import { isAlive, readIdentity } from './process-tree.ts'

let dir: string
let executor: ProcessExecutor

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'gantry-watchdog-'))
  executor = processExecutor(
    { dir, hide: [], path: '/usr/bin:/bin', tokenFile: join(dir, 'token'), home: '/root', limits: plenty },
    'none',
    machineNetwork,
    () => {},
  )
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const module = new URL('watchdog.ts', import.meta.url).href

/** Imitates an agent that starts a watchdog and ends. */
const live = (): void => {
  const text = `import { startWatchdog } from '${module}'; startWatchdog('${dir}', { gone: 1, look: 1 })`
  expect(spawnSync(process.execPath, ['--input-type=module', '-e', text]).stderr.toString()).toBe('')
}

test('ends the steps of an agent that does not come back', async () => {
  const room = await executor.prepare({ jobId: 1, attempt: 1 } as Work, { index: 0 })
  await executor.start(room, { step: 0, shell: 'sh', script: 'sleep 60', environment: [] })
  const file = join(room.dir, 'steps/0/pid')
  const step = await eventually(
    () => readIdentity(file),
    (identity) => identity !== undefined,
  )
  expect(isAlive(step)).toBe(true)
  live()
  await eventually(
    () => isAlive(step),
    (alive) => !alive,
  )
  expect(existsSync(join(room.dir, 'steps/0/exit'))).toBe(false)
})

test('leaves a process alone that has the pid of an ended step', async () => {
  const room = await executor.prepare({ jobId: 2, attempt: 1 } as Work, { index: 0 })
  const running = await executor.start(room, { step: 0, shell: 'sh', script: 'true', environment: [] })
  await executor.wait(running)
  const stranger = spawn('sleep', ['60'], { detached: true })
  const file = join(room.dir, 'steps/0/pid')
  const [boot = '', , ...rest] = readFileSync(file, 'utf8').split(' ')
  writeFileSync(file, [boot, String(stranger.pid), ...rest].join(' '))
  rmSync(join(room.dir, 'steps/0/exit'))
  live()
  const next = await executor.prepare({ jobId: 3, attempt: 1 } as Work, { index: 0 })
  await executor.start(next, { step: 0, shell: 'sh', script: 'sleep 60', environment: [] })
  const other = join(next.dir, 'steps/0/pid')
  const step = await eventually(
    () => readIdentity(other),
    (identity) => identity !== undefined,
  )
  await eventually(
    () => isAlive(step),
    (alive) => !alive,
  )
  expect(stranger.exitCode ?? stranger.signalCode).toBe(null)
  stranger.kill('SIGKILL')
})
