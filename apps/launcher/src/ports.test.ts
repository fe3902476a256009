import { createServer } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { chosenPorts, choosePort, portProblem } from './ports.ts'

const all = Array.from({ length: chosenPorts.to - chosenPorts.from }, (_, at) => chosenPorts.from + at)

test('does not choose a port that another of our processes will listen on', async () => {
  const free = await choosePort('127.0.0.1')
  const spoken = all.filter((port) => port !== free)
  expect(await choosePort('127.0.0.1', spoken)).toBe(free)
})

test('reports the system’s error code for a port in use', async () => {
  const server = createServer().listen(await choosePort('127.0.0.1'), '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  expect(await portProblem('127.0.0.1', typeof address === 'object' ? (address?.port ?? 0) : 0)).toBe('EADDRINUSE')
})
