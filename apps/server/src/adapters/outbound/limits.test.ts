import { type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { Readable } from 'node:stream'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { fault, listen, loopbackOpen, outboundWith, refused, serve } from '../../../test/outbound-with.ts'

describe('time and size', () => {
  const drip = (_: IncomingMessage, reply: ServerResponse): void => {
    reply.writeHead(200)
    const timer = setInterval(() => reply.write('x'), 5)
    reply.on('close', () => clearInterval(timer))
  }

  test('a slow, endless body ends at the deadline, with its connection', async () => {
    let closed = (): void => {}
    const gone = new Promise<void>((resolve) => (closed = resolve))
    const port = await serve((request, reply) => {
      drip(request, reply)
      reply.on('close', closed)
    })
    const outbound = loopbackOpen()
    await expect(outbound.requestText({ url: `http://127.0.0.1:${port}/`, timeout: 100 })).rejects.toEqual(
      fault('outbound-timeout'),
    )
    await gone
  })

  test('headers that never arrive end at the deadline', async () => {
    const port = await listen(createTcpServer((socket) => socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\nx: ')))
    await expect(loopbackOpen().request({ url: `http://127.0.0.1:${port}/`, timeout: 100 })).rejects.toEqual(
      fault('outbound-timeout'),
    )
  })

  test('a hanging resolver ends at the deadline', async () => {
    const outbound = outboundWith({ resolve: () => new Promise(() => {}) })
    await expect(outbound.request({ url: 'http://slow.example/', timeout: 50 })).rejects.toEqual(
      fault('outbound-timeout'),
    )
  })

  test('names that never resolve occupy one thread, and do not delay names that resolved before', async () => {
    const hosts: string[] = []
    const outbound = outboundWith({
      resolve: (host) => {
        hosts.push(host)
        return host.endsWith('.silent')
          ? new Promise(() => {})
          : Promise.resolve([{ address: '10.0.0.1', family: 4 as const }])
      },
    })
    await outbound.admit('http://known.example/')
    const silent = Array.from({ length: 20 }, (_, at) => outbound.admit(`http://h${at}.silent/`))
    const same = Array.from({ length: 5 }, () => outbound.admit('http://h0.silent/'))
    await outbound.admit('http://known.example/')
    const late = outbound.admit('http://new.example/')
    for (const one of await Promise.allSettled([...silent, ...same, late]))
      expect(one).toMatchObject({ status: 'rejected', reason: { key: 'outbound-timeout' } })
    expect(hosts).toEqual(['known.example', 'h0.silent', 'known.example'])
  })

  test('an endless body and an announced long one are cut at the limit', async () => {
    const port = await serve((request, reply) => {
      if (request.url === '/told') reply.writeHead(200, { 'content-length': '10737418240' }).write('x')
      else
        Readable.from(endless())
          .on('error', () => {})
          .pipe(reply)
    })
    const outbound = loopbackOpen()
    for (const path of ['/told', '/endless']) {
      await expect(outbound.requestText({ url: `http://127.0.0.1:${port}${path}`, maxBytes: 100_000 })).rejects.toEqual(
        fault('outbound-too-large'),
      )
    }
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('a %s bomb is cut at the limit, a small body is read', async (encoding, compress) => {
    const port = await serve((request, reply) => {
      const plain = request.url === '/bomb' ? Buffer.alloc(50_000_000) : Buffer.from('small')
      reply.writeHead(200, { 'content-encoding': encoding }).end(compress(plain))
    })
    const outbound = loopbackOpen()
    expect((await outbound.requestText({ url: `http://127.0.0.1:${port}/` })).text).toBe('small')
    await expect(outbound.requestText({ url: `http://127.0.0.1:${port}/bomb`, maxBytes: 1_000_000 })).rejects.toEqual(
      fault('outbound-too-large'),
    )
  })

  test('the caller’s own signal ends the request with its reason', async () => {
    const port = await serve(drip)
    const controller = new AbortController()
    const reading = loopbackOpen().requestText({ url: `http://127.0.0.1:${port}/`, signal: controller.signal })
    controller.abort(new Error('drained'))
    await expect(reading).rejects.toThrow('drained')
  })

  test('an abandoned body frees its connection', async () => {
    let closed = (): void => {}
    const gone = new Promise<void>((resolve) => (closed = resolve))
    const port = await serve((request, reply) => {
      drip(request, reply)
      reply.on('close', closed)
    })
    const { body } = await loopbackOpen().request({ url: `http://127.0.0.1:${port}/` })
    body.destroy()
    await expect(gone).resolves.toBeUndefined()
  })

  test('a probe reports every failure with the same text', async () => {
    const port = await serve((request, reply) => {
      if (request.url === '/endless')
        Readable.from(endless())
          .on('error', () => {})
          .pipe(reply)
      else if (request.url === '/away') reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
      else reply.end('ok')
    })
    const outbound = loopbackOpen()
    await expect(outbound.probe(`http://127.0.0.1:${port}/`)).resolves.toBeUndefined()
    for (const url of [
      `http://127.0.0.1:${port}/endless`,
      `http://127.0.0.1:${port}/away`,
      'http://127.0.0.1:1/',
      'x',
    ]) {
      await expect(outbound.probe(url)).rejects.toEqual(refused)
    }
  })
})

async function* endless(): AsyncGenerator<Buffer> {
  const chunk = Buffer.alloc(65_536, 'x')
  for (;;) yield chunk
}
