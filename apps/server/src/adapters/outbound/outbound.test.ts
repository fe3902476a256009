import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { textOf } from './body.ts'
import { pinnedLookup } from './lookup.ts'
import { createOutbound, type Outbound, type OutboundSettings } from './outbound.ts'

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

const listen = <T extends Server | TcpServer>(server: T): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
    open.push(() => {
      if ('closeAllConnections' in server) server.closeAllConnections()
      return server.close()
    })
  })
const serve = (handle: RequestListener): Promise<number> => listen(createServer(handle))

function outboundWith(settings: OutboundSettings = {}): Outbound {
  const outbound = createOutbound(settings)
  open.push(() => outbound.close())
  return outbound
}
const loopbackOpen = (settings: OutboundSettings = {}): Outbound =>
  outboundWith({ allow: ['127.0.0.0/8'], ...settings })
const refused = expect.objectContaining({ key: 'outbound-refused', kind: 'invalid' })
const fault = (key: string) => expect.objectContaining({ key })

describe('addresses', () => {
  test('a refused address is refused with one text, and nothing connects', async () => {
    let hits = 0
    const port = await serve((_, reply) => {
      hits++
      reply.end()
    })
    const outbound = outboundWith({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
    const urls = [
      `http://127.0.0.1:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://0x7f.1:${port}/`,
      `http://2130706433:${port}/`,
      `http://localhost:${port}/`,
      `http://any.example:${port}/`,
      'http://169.254.169.254/latest/meta-data',
      'file:///etc/passwd',
      'gopher://127.0.0.1/',
    ]
    for (const url of urls) {
      await expect(outbound.request({ url })).rejects.toEqual(refused)
      await expect(outbound.admit(url)).rejects.toEqual(refused)
    }
    expect(hits).toBe(0)
  })

  test('one refused address among several refuses the name', async () => {
    const outbound = outboundWith({
      resolve: async () => [
        { address: '93.184.216.34', family: 4 },
        { address: '169.254.169.254', family: 4 },
      ],
    })
    await expect(outbound.request({ url: 'http://two.example/' })).rejects.toEqual(refused)
  })

  test('a name that changes its address between lookups never reaches the refused one', async () => {
    let hits = 0
    const port = await serve((_, reply) => {
      hits++
      reply.end()
    })
    let looks = 0
    const outbound = outboundWith({
      resolve: async () => [{ address: looks++ === 0 ? '10.255.255.1' : '127.0.0.1', family: 4 }],
    })
    const pinned = await outbound.admit(`http://rebind.example:${port}/`)
    expect(pinned.address).toBe('10.255.255.1')
    await expect(outbound.request({ url: `http://rebind.example:${port}/` })).rejects.toEqual(refused)
    expect(hits).toBe(0)
  })

  test('a pinned URL is reached at its address, however its name resolves', async () => {
    const port = await serve((_, reply) => reply.end('here'))
    const outbound = loopbackOpen({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
    const pinned = await outbound.admit(`http://name.example:${port}/`)
    const socket = connect({ host: 'elsewhere.invalid', port, lookup: pinnedLookup(pinned) })
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    expect(socket.remoteAddress).toBe('127.0.0.1')
    socket.destroy()
  })

  test('the product’s own origin is exempt, and another port of the same address is not', async () => {
    const mine = await serve((_, reply) => reply.end('mine'))
    const other = await serve((_, reply) => reply.end('other'))
    const outbound = outboundWith({ own: [`http://127.0.0.1:${mine}`] })
    expect((await outbound.requestText({ url: `http://127.0.0.1:${mine}/x` })).text).toBe('mine')
    await expect(outbound.request({ url: `http://127.0.0.1:${other}/` })).rejects.toEqual(refused)
    expect((await outbound.admit(`http://127.0.0.1:${mine}/`)).address).toBe('127.0.0.1')
  })

  test('an unknown name and a closed port have different faults', async () => {
    const outbound = loopbackOpen({
      resolve: async (host) => {
        if (host === 'there.example') return [{ address: '127.0.0.1', family: 4 }]
        throw Object.assign(new Error('no'), { code: 'ENOTFOUND' })
      },
    })
    const port = await listen(createTcpServer())
    await open.pop()?.()
    await expect(outbound.request({ url: 'http://nowhere.example/' })).rejects.toEqual(fault('outbound-unknown-host'))
    await expect(outbound.request({ url: `http://there.example:${port}/` })).rejects.toEqual(
      fault('outbound-unreachable'),
    )
  })
})

describe('redirects', () => {
  test('stay on their host, at most three', async () => {
    const port = await serve((request, reply) => {
      const n = Number(new URL(request.url ?? '', 'http://x').searchParams.get('n'))
      if (n === 0) reply.end('arrived')
      else reply.writeHead(302, { location: `/?n=${n - 1}` }).end()
    })
    const outbound = loopbackOpen()
    expect((await outbound.requestText({ url: `http://127.0.0.1:${port}/?n=3` })).text).toBe('arrived')
    await expect(outbound.request({ url: `http://127.0.0.1:${port}/?n=4` })).rejects.toEqual(fault('outbound-redirect'))
  })

  test('to another host or port are refused, and credentials stay', async () => {
    const seen: IncomingMessage[] = []
    const target = await serve((request, reply) => {
      seen.push(request)
      reply.end()
    })
    const port = await serve((request, reply) => {
      const to = request.url === '/host' ? 'localhost' : '127.0.0.1'
      reply.writeHead(307, { location: `http://${to}:${target}/` }).end()
    })
    const outbound = loopbackOpen()
    for (const path of ['/host', '/port']) {
      await expect(
        outbound.request({ url: `http://127.0.0.1:${port}${path}`, headers: { authorization: 'Basic eDp5' } }),
      ).rejects.toEqual(fault('outbound-redirect'))
    }
    expect(seen).toHaveLength(0)
  })

  test('of a POST are not followed, and manual ones are the answer', async () => {
    const port = await serve((_, reply) => reply.writeHead(301, { location: '/next' }).end())
    const outbound = loopbackOpen()
    const url = `http://127.0.0.1:${port}/`
    await expect(outbound.request({ url, method: 'POST', body: 'x' })).rejects.toEqual(fault('outbound-redirect'))
    const { status, body } = await outbound.request({ url, redirect: 'manual' })
    body.destroy()
    expect(status).toBe(301)
  })
})

describe('time and size', () => {
  const drip = (_: IncomingMessage, reply: ServerResponse): void => {
    reply.writeHead(200)
    const timer = setInterval(() => reply.write('x'), 5)
    reply.on('close', () => clearInterval(timer))
  }

  test('a body that drips for ever ends at the deadline, with its connection', async () => {
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
    const asked: string[] = []
    const outbound = outboundWith({
      resolve: (host) => {
        asked.push(host)
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
    expect(asked).toEqual(['known.example', 'h0.silent', 'known.example'])
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

describe('answers', () => {
  test('JSON is validated, and so is the status', async () => {
    const port = await serve((request, reply) => {
      if (request.url === '/html') reply.end('<html>')
      else if (request.url === '/down') reply.writeHead(503).end('{}')
      else reply.end('{"n":1}')
    })
    const outbound = loopbackOpen()
    const at = (path: string) =>
      outbound.requestJson({ url: `http://127.0.0.1:${port}${path}` }, z.object({ n: z.number() }))
    await expect(at('/')).resolves.toEqual({ n: 1 })
    await expect(at('/html')).rejects.toEqual(fault('outbound-not-json'))
    await expect(at('/down')).rejects.toEqual(fault('outbound-status'))
  })

  test('headers about a missing body are no failure', async () => {
    const port = await serve((request, reply) => {
      const headers = { 'content-encoding': 'gzip', ...(request.url === '/empty' && { 'content-length': '0' }) }
      reply.writeHead(request.url === '/none' ? 204 : 200, headers).end()
    })
    const outbound = loopbackOpen()
    const at = async (path: string, method: 'GET' | 'HEAD') =>
      (await outbound.requestText({ url: `http://127.0.0.1:${port}${path}`, method })).text
    expect([await at('/', 'HEAD'), await at('/none', 'GET'), await at('/empty', 'GET')]).toEqual(['', '', ''])
  })

  test('a host header of the caller changes nothing, and a body streams', async () => {
    const port = await serve((request, reply) => {
      void textOf(request).then((text) => reply.end(`${request.headers.host} ${text}`))
    })
    const { text } = await loopbackOpen().requestText({
      url: `http://127.0.0.1:${port}/`,
      method: 'PUT',
      headers: { Host: 'other.example' },
      body: Readable.from(['a', 'b']),
    })
    expect(text).toBe(`127.0.0.1:${port} ab`)
  })

  test('a server without HTTP, and plain HTTP behind https, have their own faults', async () => {
    const port = await listen(createTcpServer((socket) => socket.on('error', () => {}).end('220 smtp\r\n')))
    const outbound = loopbackOpen()
    await expect(outbound.request({ url: `http://127.0.0.1:${port}/` })).rejects.toEqual(fault('outbound-broken'))
    const plain = await serve((_, reply) => reply.end())
    await expect(outbound.request({ url: `https://127.0.0.1:${plain}/` })).rejects.toEqual(
      fault('outbound-tls-missing'),
    )
  })
})

describe('TLS', () => {
  const pem = (name: string): string =>
    readFileSync(join(import.meta.dirname, '../../../test/certificates', name), 'utf8')
  const secure = (name: string): Promise<number> =>
    listen(
      createSecureServer({ cert: pem(`${name}.pem`), key: pem(`${name}-key.pem`) }, (_, reply) => reply.end('safe')),
    )

  test('an additional CA of the configuration is trusted besides the usual ones', async () => {
    const url = `https://127.0.0.1:${await secure('server')}/`
    expect((await loopbackOpen({ ca: pem('ca.pem') }).requestText({ url })).text).toBe('safe')
    await expect(loopbackOpen().request({ url })).rejects.toEqual(fault('outbound-tls-untrusted'))
  })

  test('an expired certificate, and one of another CA, have their own faults', async () => {
    const outbound = loopbackOpen({ ca: pem('ca.pem') })
    const at = async (name: string) => outbound.request({ url: `https://127.0.0.1:${await secure(name)}/` })
    await expect(at('expired')).rejects.toEqual(fault('outbound-tls-expired'))
    await expect(at('other')).rejects.toEqual(fault('outbound-tls-name'))
  })
})

describe('a proxy', () => {
  test('carries public and unresolvable names, and private addresses stay direct', async () => {
    const asked: string[] = []
    const proxy = await serve((request, reply) => {
      asked.push(request.url ?? '')
      reply.end('by proxy')
    })
    const direct = await serve((_, reply) => reply.end('direct'))
    const outbound = loopbackOpen({
      proxy: `http://127.0.0.1:${proxy}`,
      resolve: async (host) => {
        if (host === 'public.example') return [{ address: '93.184.216.34', family: 4 }]
        if (host === 'metadata.example') return [{ address: '169.254.169.254', family: 4 }]
        throw Object.assign(new Error('no'), { code: 'ENOTFOUND' })
      },
    })
    expect((await outbound.requestText({ url: 'http://public.example/a' })).text).toBe('by proxy')
    expect((await outbound.requestText({ url: 'http://inside-only.example/b' })).text).toBe('by proxy')
    expect((await outbound.requestText({ url: `http://127.0.0.1:${direct}/` })).text).toBe('direct')
    await expect(outbound.request({ url: 'http://metadata.example/' })).rejects.toEqual(refused)
    expect(asked).toEqual(['http://public.example/a', 'http://inside-only.example/b'])
  })
})

async function* endless(): AsyncGenerator<Buffer> {
  const chunk = Buffer.alloc(65_536, 'x')
  for (;;) yield chunk
}
