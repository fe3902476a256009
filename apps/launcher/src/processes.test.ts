import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { endProcess, identify, isRunning } from './processes.ts'

const child = async (script: string) => {
  const started = spawn(process.execPath, ['-e', `${script}; console.log('up'); setInterval(() => {}, 1000)`])
  await once(started.stdout, 'data')
  const identity = identify(started.pid ?? 0)
  if (!identity) throw new Error('it runs, and is not found')
  return { started, identity, ended: once(started, 'exit') }
}

test('a process that has been given the same number since is not that process', async () => {
  const own = identify(process.pid)
  expect(own && isRunning(own)).toBe(true)
  expect(isRunning({ pid: process.pid, started: 'before' })).toBe(false)
})

test('ends a process that handles the signal', async () => {
  const { identity, ended } = await child('process.on("SIGTERM", () => process.exit(7))')
  await endProcess(identity, 60_000)
  expect(await ended).toEqual([7, null])
  expect(identify(identity.pid)).toBeUndefined()
})

test('ends a process that ignores the signal', async () => {
  const { identity, ended } = await child('process.on("SIGTERM", () => {})')
  await endProcess(identity, 50)
  expect(await ended).toEqual([null, 'SIGKILL'])
})

test('leaves alone a process that only has the same number', async () => {
  const { started, identity, ended } = await child('')
  await endProcess({ ...identity, started: 'another day' }, 50)
  expect(isRunning(identity)).toBe(true)
  started.kill()
  await ended
})
