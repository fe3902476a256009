import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { followPath, terminalPath } from '@gantry/contract/stacks/containers/containers'
import { afterAll, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { labels } from '../../../adapters/kube/labels.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { admitLocal } from '../../../../test/kube-api.ts'
import { socketClient } from '../../../../test/socket-client.ts'
import { testApp } from '../../../../test/test-app.ts'
import { podObject, watchedCluster } from '../../../../test/watched-cluster.ts'

/** A browser or a cluster that floods a terminal or a log, and how much the server buffers meanwhile. */

const kube = openKube({ admit: admitLocal })
const app = await testApp({ ports: { kube } })
const client = await socketClient(app)
const team = await app.team()
const podId = '11111111-2222-4333-8444-555555555555'
const cluster = await watchedCluster(app, [team], {})
const { id } = await cluster.stack(team, 'shop')
const { uuid } = await app.db.selectFrom('stack').select('uuid').where('id', '=', id).executeTakeFirstOrThrow()
const pod = podObject('web-1', { namespace: 'shop', labels: { [labels.stack]: uuid } })
cluster.api.put('pods', { ...pod, metadata: { ...pod.metadata, uid: podId } })
afterAll(async () => {
  await kube.close()
  await cluster.api[Symbol.asyncDispose]()
})

const pathOf = (pattern: string) =>
  pattern
    .replace(':teamId', `${team.id}`)
    .replace(':envId', cluster.uuid)
    .replace(':podId', podId)
    .replace(':name', 'main')

const shells = new WebSocketServer({ noServer: true, handleProtocols: () => 'v5.channel.k8s.io' })
/** Opens a terminal: the browser's end, the shell's end, and the server's connection to the browser. */
async function terminal() {
  const begun = once(shells, 'connection') as Promise<[WebSocket]>
  const came = once(app.fastify.server, 'upgrade') as Promise<[unknown, Duplex]>
  const { ws } = await client.as(team.leader, pathOf(terminalPath))
  const [[shell], [, connection]] = await Promise.all([begun, came])
  return { ws, shell, connection }
}
cluster.api.server.on('upgrade', (request, socket, head) =>
  shells.handleUpgrade(request, socket, head, (ws) => shells.emit('connection', ws)),
)

const typed = (data: string) => JSON.stringify({ type: 'input', data })

test('30,000 single-byte writes of a program reach its browser in few frames, whole and in order', async () => {
  const { ws, shell } = await terminal()
  const got: Buffer[] = []
  ws.on('message', (data: Buffer, binary) => binary && got.push(data))
  const total = 30_000
  for (let from = 0; from < total; from += 1_000) {
    for (let at = from; at < from + 1_000; at++) shell.send(Buffer.of(1, at % 251))
    await new Promise((resolve) => setImmediate(resolve))
  }
  shell.send(Buffer.concat([Buffer.of(3), Buffer.from('{"status":"Success"}')]))
  shell.close()
  await once(ws, 'close')
  expect(Buffer.concat(got).equals(Buffer.from(Array.from({ length: total }, (_, at) => at % 251)))).toBe(true)
  expect(got.length).toBeLessThan(total / 50)
})

test('keys that arrive faster than they are passed on are merged, whole and in order', async () => {
  const { ws, shell } = await terminal()
  const got: Buffer[] = []
  shell.on('message', (data: Buffer) => got.push(data))
  const keys = Array.from({ length: 50_000 }, (_, at) => `${at},`)
  for (const key of keys) ws.send(typed(key))
  const whole = keys.join('')
  await expect.poll(() => got.reduce((sum, { length }) => sum + length - 1, 0), { timeout: 20_000 }).toBe(whole.length)
  expect(Buffer.concat(got.map((message) => message.subarray(1))).toString()).toBe(whole)
  expect(got.length).toBeLessThan(keys.length / 2)
  ws.close()
})

test('a browser is not read while its shell does not read, and its input arrives whole', async () => {
  const { ws, shell, connection } = await terminal()
  shell.pause()
  const frame = 'a'.repeat(60_000)
  const frames = 30
  for (let n = 0; n < frames; n++) ws.send(typed(frame))
  await expect.poll(() => connection.isPaused()).toBe(true)
  const got: Buffer[] = []
  shell.on('message', (data: Buffer) => got.push(data))
  shell.resume()
  await expect
    .poll(() => got.reduce((sum, { length }) => sum + length - 1, 0), { timeout: 20_000 })
    .toBe(frames * frame.length)
  ws.close()
})

/** Resolves once the flow has stalled: the connections' buffers are full, and the rest stays with its sender. */
async function standing(left: () => number): Promise<void> {
  let before = -1
  const stands = () => {
    const now = left()
    const same = now === before && now > 0
    before = now
    return same
  }
  await expect.poll(stands, { timeout: 20_000, interval: 500 }).toBe(true)
}

test('a shell is not read while its browser does not read', async () => {
  const { ws, shell } = await terminal()
  ws.pause()
  const chunk = Buffer.concat([Buffer.of(1), Buffer.alloc(64 * 1024)])
  let left = 0
  for (let n = 0; n < 1_000; n++) shell.send(chunk, () => (left += 1))
  await standing(() => left)
  expect(left).toBeLessThan(1_000)
  ws.resume()
  await expect.poll(() => left, { timeout: 20_000 }).toBe(1_000)
  ws.close()
})

test('a log is not read while its browser does not read, and arrives in frames of at most a line and 256 kB', async () => {
  const line = 'l'.repeat(200_000)
  const numbers = Array.from({ length: 200 }, (_, n) => n)
  let left = 0
  cluster.api.answer((seen, response) => {
    if (!seen.path.endsWith('/log')) return cluster.api.normal(seen, response)
    response.writeHead(200)
    const write = (): unknown =>
      left === numbers.length
        ? response.end()
        : response.write(`2026-01-01T00:00:00.000000000Z ${left}${line}\n`, () => {
            left += 1
            write()
          })
    return write()
  })
  const lengths: number[] = []
  const { ws, frames, ended } = await client.as(team.leader, pathOf(followPath))
  ws.pause()
  ws.on('message', (data: Buffer) => lengths.push(data.length))
  await standing(() => left)
  expect(left).toBeLessThan(numbers.length)
  ws.resume()
  await ended
  const lines = frames.flatMap((frame) => (frame['lines'] ?? []) as { text: string }[])
  expect(lines.map(({ text }) => Number.parseInt(text, 10))).toEqual(numbers)
  expect(Math.max(...lengths)).toBeLessThan(256 * 1024 + line.length + 1_000)
})
