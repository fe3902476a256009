import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { openInbox, sendMessage } from './flow.ts'

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', allowSynchronousEvents: false })
await once(server, 'listening')
afterAll(() => server.close())

async function pair(): Promise<{ here: WebSocket; peer: WebSocket }> {
  const arriving = once(server, 'connection') as Promise<[WebSocket]>
  const peer = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [[here]] = await Promise.all([arriving, once(peer, 'open')])
  afterAll(() => peer.terminate())
  return { here, peer }
}

test.for([
  ['tiny', 40_000, 1],
  ['large', 400, 64 * 1024],
] as const)('a peer whose %s messages nobody takes is not read, and none is lost', async ([, count, length]) => {
  const { here, peer } = await pair()
  const inbox = openInbox<Buffer>(here, ({ length }) => length)
  let taken = 0
  let came = 0
  let most = 0
  here.on('message', (data: Buffer) => {
    came += 1
    most = Math.max(most, came - taken)
    inbox.push(data)
  })
  here.once('close', inbox.end)
  for (let n = 0; n < count; n++) {
    const message = Buffer.alloc(length)
    message[0] = n % 251
    peer.send(message)
  }
  peer.close()
  await expect.poll(() => here.isPaused).toBe(true)
  const order: number[] = []
  let batches = 0
  for await (const batch of inbox.batches()) {
    taken += batch.length
    batches += 1
    order.push(...batch.map(([first = -1]) => first))
  }
  expect(order).toEqual(Array.from({ length: count }, (_, n) => n % 251))
  // 256 kB, or 2048 messages, plus what one read of the connection had already delivered
  expect(most * (length + 128)).toBeLessThan(256 * 1024 + 2 * 64 * 1024 * ((length + 128) / (length + 2)))
  expect(batches).toBeLessThan(count / 2)
})

test('an ended inbox lets its websocket notice that the peer has gone', async () => {
  const { here, peer } = await pair()
  const inbox = openInbox<Buffer>(here, ({ length }) => length)
  here.on('message', inbox.push)
  peer.send(Buffer.alloc(1024 * 1024))
  await expect.poll(() => here.isPaused).toBe(true)
  const gone = once(here, 'close')
  inbox.end()
  peer.close()
  await gone
})

test('a send to a peer that does not read stays pending, and a send to a closed peer resolves', async () => {
  const { here, peer } = await pair()
  peer.pause()
  let left = false
  const leaving = sendMessage(here, Buffer.alloc(64 * 1024 * 1024)).then(() => (left = true))
  await sendMessage(peer, 'the other direction goes on')
  expect(left).toBe(false)
  peer.terminate()
  await leaving
  await sendMessage(here, 'late')
})
