import { createServer } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { chosenPorts, choosePort, portProblem } from './ports.ts'

const all = Array.from({ length: chosenPorts.to - chosenPorts.from }, (_, at) => chosenPorts.from + at)

test('a port that another of ours will listen on is not chosen', async () => {
  const free = await choosePort('127.0.0.1')
  const spoken = all.filter((port) => port !== free)
  expect(await choosePort('127.0.0.1', spoken)).toBe(free)
})

test('a port that is listened on has a problem with a name', async () => {
  const server = createServer().listen(await choosePort('127.0.0.1'), '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  expect(await portProblem('127.0.0.1', typeof address === 'object' ? (address?.port ?? 0) : 0)).toBe('EADDRINUSE')
})
