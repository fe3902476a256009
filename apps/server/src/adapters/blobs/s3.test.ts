import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { buffer, text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { s3Blobs, type S3Blobs, type S3BlobSettings } from './s3.ts'

const keys = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}

/** A real store checks its correctness: s3.services.test.ts. */
const signature =
  /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/\d{8}\/us-east-1\/s3\/aws4_request, SignedHeaders=[^,]*host;[^,]*x-amz-content-sha256;x-amz-date[^,]*, Signature=[0-9a-f]{64}$/

const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex')

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

type Answering = (request: IncomingMessage, reply: ServerResponse) => boolean

/** A server with the part of S3 that the adapter uses; `before` may answer instead. */
async function store(before: Answering = () => false, more: Partial<S3BlobSettings> = {}) {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()
  const calls: string[] = []
  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://x')
    const body = await buffer(request)
    const query = url.searchParams
    const key = url.pathname.replace('/bucket/', '')
    calls.push(`${request.method} ${[...query.keys()].join(',')}`)
    if (before(request, reply)) return
    if (request.headers['x-amz-content-sha256'] !== sha256(body)) return void reply.writeHead(400).end()
    if (!signature.test(request.headers.authorization ?? '')) return void reply.writeHead(403).end()
    const upload = uploads.get(query.get('uploadId') ?? '')
    if (query.has('list-type')) {
      const found = [...objects.keys()].filter((name) => name.startsWith(query.get('prefix') ?? '')).sort()
      const after = found.filter((name) => name > (query.get('continuation-token') ?? ''))
      const page = after.slice(0, 2)
      const rows = page.map(
        (name) =>
          `<Contents><Key>${name}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><Size>${objects.get(name)?.length}</Size></Contents>`,
      )
      const more = after.length > 2 ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
      return void reply.end(`<?xml version="1.0"?><ListBucketResult>${rows.join('')}${more}</ListBucketResult>`)
    }
    if (request.method === 'POST' && query.has('uploads')) {
      uploads.set('u&1', new Map())
      return void reply.end('<R><UploadId>u&amp;1</UploadId></R>')
    }
    if (request.method === 'PUT' && upload !== undefined) {
      upload.set(Number(query.get('partNumber')), body)
      return void reply.writeHead(200, { etag: `"${query.get('partNumber')}"` }).end()
    }
    if (request.method === 'POST' && upload !== undefined) {
      const parts = [...body.toString().matchAll(/<ETag>&quot;(\d+)&quot;<\/ETag><PartNumber>\1<\/PartNumber>/g)]
      objects.set(key, Buffer.concat(parts.map(([, n]) => upload.get(Number(n)) ?? Buffer.alloc(0))))
      uploads.clear()
      return void reply.end('<R/>')
    }
    if (request.method === 'DELETE') {
      if (query.has('uploadId')) uploads.clear()
      else objects.delete(key)
      return void reply.writeHead(204).end()
    }
    if (request.method === 'PUT') {
      if (request.headers['if-none-match'] === '*' && objects.has(key)) return void reply.writeHead(412).end()
      objects.set(key, body)
      return void reply.end()
    }
    const object = objects.get(key)
    if (object === undefined) return void reply.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? []
    if (from === undefined) return void reply.writeHead(200, { 'content-length': object.length }).end(object)
    if (Number(from) >= object.length) return void reply.writeHead(416).end()
    return void reply.writeHead(206).end(object.subarray(Number(from), Number(to) + 1))
  }
  const server = createServer((request, reply) => void answer(request, reply))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const blobs: S3Blobs = await s3Blobs({
    ...keys,
    endpoint,
    bucket: 'bucket',
    prefix: 'gantry/',
    partBytes: 1000,
    pauseMs: 1,
    ...more,
  })
  open.push(async () => {
    await blobs.close()
    server.closeAllConnections()
    server.close()
  })
  return { blobs, objects, uploads, calls }
}

const fault = (key: string) => expect.objectContaining({ name: 'Fault', key })

describe('blobs in a bucket', () => {
  test.each([0, 1, 999, 1000, 1001, 5000])('%i bytes are stored and read, whole and in parts', async (size) => {
    const { blobs, objects, uploads } = await store()
    const whole = Buffer.from(Array.from({ length: size }, (_, i) => i % 251))
    async function* chunks(): AsyncGenerator<Buffer> {
      for (let at = 0; at < size; at += 300) yield whole.subarray(at, at + 300)
    }
    const stored = await blobs.put('artifacts', chunks())
    expect(stored).toEqual({ key: expect.stringMatching(/^artifacts\//), size, sha256: sha256(whole) })
    expect([...objects.keys()]).toEqual([`gantry/${stored.key}`])
    expect(await buffer(await blobs.get(stored.key))).toEqual(whole)
    expect(await buffer(await blobs.get(stored.key, { from: 10, to: 1500 }))).toEqual(whole.subarray(10, 1500))
    expect(await blobs.size(stored.key)).toBe(size)
    await blobs.delete(stored.key)
    await expect(blobs.get(stored.key)).rejects.toEqual(fault('blobs-missing'))
    expect(uploads.size).toBe(0)
  })

  const big = Buffer.alloc(4 * 1024 * 1024, 'x')
  /** Downloads that are started but not read. */
  const stalled = async (blobs: S3Blobs, key: string) => {
    const begun = await Promise.all(Array.from({ length: 32 }, () => blobs.get(key)))
    for (const body of begun) open.push(() => body.destroy())
    return begun
  }

  test('unread downloads do not delay other calls', async () => {
    const { blobs } = await store(undefined, { partBytes: 2 * big.length })
    const { key } = await blobs.put('artifacts', Readable.from([big]))
    await stalled(blobs, key)
    const log = await blobs.put('logs', Readable.from([Buffer.from('a log')]))
    expect(await text(await blobs.get(log.key, { from: 0, to: 5 }))).toBe('a log')
  })

  test('an unread download is aborted, and other downloads do not wait for that', async () => {
    const { blobs } = await store(undefined, { partBytes: 2 * big.length, stallMs: 300 })
    const { key } = await blobs.put('artifacts', Readable.from([big]))
    const small = await blobs.put('artifacts', Readable.from([Buffer.from('small')]))
    const begun = await stalled(blobs, key)
    const another = blobs.get(small.key).then(text)
    for (const body of begun) await expect(finished(body)).rejects.toThrow('300 ms of inactivity')
    expect(await another).toBe('small')
  })

  test('a stream that breaks off leaves nothing', async () => {
    const { blobs, objects, uploads } = await store()
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(2500)
      throw new Error('agent is gone')
    }
    await expect(blobs.put('logs', broken())).rejects.toThrow('agent is gone')
    expect([objects.size, uploads.size]).toEqual([0, 0])
  })

  test('lists all pages of one area', async () => {
    const { blobs, objects } = await store()
    const keysOf = ['1', '2', '3', '4', '5'].map((n) => `logs/a${n}/${n.repeat(32)}`)
    for (const key of keysOf) objects.set(`gantry/${key}`, Buffer.from('xyz'))
    objects.set('gantry/logs/else', Buffer.from(''))
    const found = []
    for await (const entry of blobs.list('logs')) found.push(entry)
    expect(found.map((entry) => entry.key)).toEqual(keysOf)
    expect(found[0]).toMatchObject({ size: 3, modified: new Date('2026-01-02T03:04:05Z') })
  })

  test('the marker is written once', async () => {
    const { blobs } = await store()
    const markers = await Promise.all([blobs.marker(), blobs.marker(), blobs.marker()])
    expect(new Set([...markers, await blobs.marker()]).size).toBe(1)
  })

  test('a transient failure is retried', async () => {
    let failures = 2
    const { blobs, calls } = await store((request, reply) => {
      if (failures-- <= 0) return false
      if (failures === 1) reply.writeHead(503).end()
      else request.socket.destroy()
      return true
    })
    const { key } = await blobs.put('logs', Readable.from([Buffer.from('x')]))
    expect(await text(await blobs.get(key))).toBe('x')
    expect(calls).toHaveLength(4)
  })

  test('a silent store is unavailable', async () => {
    const { blobs, calls } = await store(() => true, { silenceMs: 100 })
    const key = `logs/ab/${'ab'.repeat(16)}`
    for (const waiting of [() => blobs.put('logs', Readable.from([])), () => blobs.get(key), () => blobs.size(key)])
      await expect(waiting()).rejects.toEqual(fault('blobs-unavailable'))
    expect(calls).toHaveLength(9)
  })

  test.each([
    [507, '', 'blobs-full'],
    [403, '<Error><Code>QuotaExceeded</Code></Error>', 'blobs-full'],
    [403, '<Error><Code>InvalidAccessKeyId</Code></Error>', 'blobs-unavailable'],
    [404, '<Error><Code>NoSuchBucket</Code></Error>', 'blobs-unavailable'],
    [500, '', 'blobs-unavailable'],
  ])('%i %s is %s', async (status, body, key) => {
    const { blobs } = await store((_, reply) => {
      reply.writeHead(status).end(body)
      return true
    })
    await expect(blobs.put('logs', Readable.from([Buffer.from('x')]))).rejects.toEqual(fault(key))
  })
})
