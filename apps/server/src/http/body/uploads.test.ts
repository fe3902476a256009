import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { PassThrough, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { zstdCompressSync } from 'node:zlib'
import { endpoint } from '@gantry/contract/endpoint'
import { eventually } from '@gantry/waiting/eventually'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { socketClient } from '../../../test/socket-client.ts'
import { testApp } from '../../../test/test-app.ts'
import { Fault } from '../../kernel/fault.ts'
import { boundedUpload } from './body.ts'

const upload = (path: `/${string}`) =>
  endpoint({
    method: 'POST',
    path,
    access: 'public',
    audit: 'sample.upload',
    summary: 'Takes an upload',
    upload: 20 * 1024 * 1024,
    data: z.number(),
    topics: [],
  })
const late = upload('/api/sample/late')
const refused = upload('/api/sample/refused')

const given: Readable[] = []
/** The errors that a late reader of an upload gets. */
const learnt: string[] = []
const app = await testApp({
  onlyDomains: [],
  more: {
    endpoints: [late, refused],
    routes: (route) => {
      route(late, async (ctx, { upload }) => {
        given.push(upload)
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))
        await eventually(() => expect(upload.destroyed).toBe(true))
        await buffer(upload).catch((error: Error) => learnt.push(error.message))
        return 0
      })
      route(refused, (_ctx, { upload }) => {
        given.push(upload)
        throw new Fault('forbidden', 'admin-only')
      })
    },
  },
})
const { port } = new URL((await socketClient(app)).origin)

const head = (path: string, length: number, encoding = 'identity') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${length}\r\n\r\n`

async function opened(): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  return socket
}

test.for(['identity', 'zstd'])(
  'an upload (%s) that breaks off before anybody reads it fails its own call only',
  async (encoding) => {
    const [calls, known] = [given.length, learnt.length]
    const socket = await opened()
    socket.write(head(late.path, 1_000_000, encoding))
    socket.write(zstdCompressSync(randomBytes(100_000)).subarray(0, 20_000))
    await eventually(() => expect(given).toHaveLength(calls + 1))
    socket.destroy()
    await eventually(() => expect(learnt).toHaveLength(known + 1))
    expect(learnt.at(-1)).toMatch(/cut off|aborted|premature/i)
  },
)

test('the error of a stalled upload is kept for its reader', async () => {
  vi.useFakeTimers()
  try {
    const uploaded = boundedUpload(
      { stream: new PassThrough(), contentType: undefined, contentEncoding: undefined, contentLength: undefined },
      1_000,
    )
    await vi.advanceTimersByTimeAsync(121_000)
    await expect(buffer(uploaded)).rejects.toThrow('stood still')
  } finally {
    vi.useRealTimers()
  }
})

test('a refused upload is discarded, and its connection is used for the next call', async () => {
  const socket = await opened()
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString()))
  socket.write(head(refused.path, 900_000))
  await eventually(() => expect(received).toContain('"admin-only"'))
  expect(given.at(-1)?.destroyed).toBe(true)
  socket.write(Buffer.alloc(900_000))
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
  await eventually(() => expect(received).toContain('{"status":"ok"}'))
  socket.destroy()
})
