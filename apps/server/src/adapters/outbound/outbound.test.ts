import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { closedPort, fault, listen, loopbackOpen, outboundWith, refused, serve } from '../../../test/outbound-with.ts'
import { textOf } from './body.ts'
import { pinnedLookup } from './lookup.ts'

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

  test('never contacts the refused address of a name whose addresses change between lookups', async () => {
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

  test('a pinned URL is contacted at its address, whatever its name resolves to', async () => {
    const port = await serve((_, reply) => reply.end('here'))
    const outbound = loopbackOpen({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
    const pinned = await outbound.admit(`http://name.example:${port}/`)
    const socket = connect({ host: 'elsewhere.invalid', port, lookup: pinnedLookup(pinned) })
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    expect(socket.remoteAddress).toBe('127.0.0.1')
    socket.destroy()
  })

  test('the product’s own origin is exempt, but not another port of the same address', async () => {
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
    const port = await closedPort()
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

  test('of a POST are not followed, and with `manual` the redirect is the answer', async () => {
    const port = await serve((_, reply) => reply.writeHead(301, { location: '/next' }).end())
    const outbound = loopbackOpen()
    const url = `http://127.0.0.1:${port}/`
    await expect(outbound.request({ url, method: 'POST', body: 'x' })).rejects.toEqual(fault('outbound-redirect'))
    const { status, body } = await outbound.request({ url, redirect: 'manual' })
    body.destroy()
    expect(status).toBe(301)
  })
})

describe('answers', () => {
  test('JSON and the status are validated', async () => {
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

  test('headers about a missing body cause no failure', async () => {
    const port = await serve((request, reply) => {
      const headers = { 'content-encoding': 'gzip', ...(request.url === '/empty' && { 'content-length': '0' }) }
      reply.writeHead(request.url === '/none' ? 204 : 200, headers).end()
    })
    const outbound = loopbackOpen()
    const at = async (path: string, method: 'GET' | 'HEAD') =>
      (await outbound.requestText({ url: `http://127.0.0.1:${port}${path}`, method })).text
    expect([await at('/', 'HEAD'), await at('/none', 'GET'), await at('/empty', 'GET')]).toEqual(['', '', ''])
  })

  test('ignores the caller’s Host header, and streams a body', async () => {
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

  test('repeats a read once if the connection closes before an answer, but not a write', async () => {
    const methods: string[] = []
    const port = await serve((incoming, reply) => {
      methods.push(incoming.method ?? '')
      return [2, 4].includes(methods.length) ? incoming.socket.destroy() : reply.end('hello')
    })
    const outbound = loopbackOpen()
    const said = async (method: 'GET' | 'POST') =>
      textOf((await outbound.request({ url: `http://127.0.0.1:${port}/`, method })).body)
    expect(await said('GET')).toBe('hello')
    expect(await said('GET')).toBe('hello')
    await expect(said('POST')).rejects.toEqual(fault('outbound-broken'))
    expect(methods).toEqual(['GET', 'GET', 'GET', 'POST'])
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
  test('is used for public and unresolvable names, but not for private addresses', async () => {
    const urls: string[] = []
    const proxy = await serve((request, reply) => {
      urls.push(request.url ?? '')
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
    expect(urls).toEqual(['http://public.example/a', 'http://inside-only.example/b'])
  })
})
