import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'
import { Fault } from '../../kernel/fault.ts'
import { reasonOf, say, sayReasonTo, sayTo } from '../../kernel/phrase.ts'
import { textOf } from '../outbound/body.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { createRegistry, type Registry } from './registry.ts'
import type { SessionSettings } from './session.ts'

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function client(settings: Omit<SessionSettings, 'outbound'> = {}): Registry {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  open.push(() => outbound.close())
  return createRegistry(outbound, { pauses: [1, 1], ...settings })
}

const fault = (key: string) => expect.objectContaining({ name: 'Fault', key })
const sha = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`
const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
const signIn = { username: 'ann', password: 'secret' }

describe('authentication', () => {
  test('basic authentication is used once it is requested, and remembered', async () => {
    const seen: (string | undefined)[] = []
    const url = await serve((request, reply) => {
      seen.push(request.headers.authorization)
      if (request.headers.authorization !== basic('ann', 'secret')) {
        return reply.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
      }
      return reply.end('{"name":"a","tags":["1"]}')
    })
    const registry = client()
    await registry.tags({ url, ...signIn }, 'a')
    await registry.tags({ url, ...signIn }, 'a')
    expect(seen).toEqual([undefined, basic('ann', 'secret'), basic('ann', 'secret')])
    await expect(registry.tags({ url, username: 'ann', password: 'x' }, 'a')).rejects.toEqual(
      fault('registry-wrong-password'),
    )
    await expect(registry.tags({ url }, 'a')).rejects.toEqual(fault('registry-password-needed'))
  })

  test('a bearer token for the scope is requested from the realm, and again after it has expired', async () => {
    let now = 0
    let tokens = 0
    const requests: IncomingMessage[] = []
    const url = await serve((request, reply) => {
      const at = new URL(request.url ?? '', 'http://x')
      if (at.pathname === '/token') {
        requests.push(request)
        if (request.headers.authorization !== basic('ann', 'secret')) return reply.writeHead(401).end()
        return reply.end(JSON.stringify({ token: `t${++tokens}`, expires_in: 300 }))
      }
      if (request.headers.authorization === `Bearer t${tokens}`) return reply.end('{"tags":null}')
      const challenge = `Bearer realm="http://${request.headers.host}/token",service="the registry"`
      return reply.writeHead(401, { 'www-authenticate': challenge }).end()
    })
    const registry = client({ now: () => now })
    await registry.tags({ url, ...signIn }, 'a/b')
    await registry.tags({ url, ...signIn }, 'a/b')
    expect(requests).toHaveLength(1)
    const query = new URL(requests[0]?.url ?? '', 'http://x').searchParams
    expect([query.get('service'), query.get('scope')]).toEqual(['the registry', 'repository:a/b:pull'])
    now += 300_000
    await registry.tags({ url, ...signIn }, 'a/b')
    expect(requests).toHaveLength(2)
    await expect(registry.tags({ url, username: 'ann', password: 'no' }, 'a/b')).rejects.toEqual(
      fault('registry-wrong-password'),
    )
  })

  test('a realm on another host without TLS gets no password', async () => {
    const seen: IncomingMessage[] = []
    const thief = await serve((request, reply) => {
      seen.push(request)
      reply.end('{"token":"t"}')
    })
    const url = await serve((_, reply) =>
      reply.writeHead(401, { 'www-authenticate': `Bearer realm="${thief}/token"` }).end(),
    )
    await expect(client().tags({ url, ...signIn }, 'a')).rejects.toEqual(fault('registry-realm'))
    expect(seen).toHaveLength(0)
  })

  test('a realm at a refused address is refused', async () => {
    const url = await serve((_, reply) =>
      reply.writeHead(401, { 'www-authenticate': 'Bearer realm="https://169.254.169.254/token"' }).end(),
    )
    await expect(client().tags({ url, ...signIn }, 'a')).rejects.toEqual(fault('outbound-refused'))
  })
})

describe('the answer of a token service', () => {
  /** A registry whose token service is another server on the same host. */
  const sentTo = async (status: number, body: string) => {
    const url = await serve((request, reply) => {
      if (request.url?.startsWith('/token') === true) return reply.writeHead(status).end(body)
      const challenge = `Bearer realm="http://${request.headers.host}/token"`
      return reply.writeHead(401, { 'www-authenticate': challenge }).end()
    })
    return { url, host: new URL(url).host }
  }

  test.each([
    [401, '{"details":"the account is locked"}', 'registry-token-refused', '401 the account is locked'],
    [403, '{"errors":[{"code":"DENIED","message":"no"}]}', 'registry-token-refused', '403 DENIED: no'],
    [400, '{"error":"invalid_scope"}', 'registry-token-error', '400 invalid_scope'],
    [404, '<html>', 'registry-token-error', '404'],
    [503, 'closed on Sundays', 'registry-token-error', '503 closed on Sundays'],
    [200, '{}', 'registry-token-error', '200'],
  ])('%i %s is reported as the token service’s, in both languages', async (status, body, key, answer) => {
    const { url, host } = await sentTo(status, body)
    const error: unknown = await client({ pauses: [] })
      .tags({ url, ...signIn }, 'a')
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ key, vars: { host, service: host, answer } })
    for (const lang of ['en', 'zh'] as const)
      expect(sayTo({ lang, actor: { admin: false } }, error as Fault)).toContain(answer)
  })

  test('a missing password has its own fault', async () => {
    const { url } = await sentTo(401, '{"details":"who are you"}')
    await expect(client().tags({ url }, 'a')).rejects.toEqual(fault('registry-password-needed'))
  })
})

describe('verification', () => {
  const answering = (status: number, body: string, headers: Record<string, string> = {}): Promise<string> =>
    serve((_, reply) => reply.writeHead(status, headers).end(body))

  test('accepts JSON, or the header of a registry', async () => {
    const registry = client()
    const named = { 'docker-distribution-api-version': 'registry/2.0' }
    await expect(registry.verify({ url: await answering(200, '{}') })).resolves.toBeUndefined()
    await expect(registry.verify({ url: await answering(200, '', named) })).resolves.toBeUndefined()
  })

  test.each([
    ['a page', 200, '<html>', 'registry-not-one'],
    ['nothing there', 404, 'not found', 'registry-not-one'],
    ['a refusal', 403, '', 'registry-forbidden'],
    ['an error', 500, '', 'registry-error'],
    ['too many', 429, '', 'registry-busy'],
    ['unreadable sign-in', 401, '', 'registry-wrong-password'],
  ])('%s is not accepted as a registry', async (_, status, body, key) => {
    const url = await answering(status, body)
    await expect(client().verify({ url, ...signIn })).rejects.toEqual(fault(key))
  })

  test('refuses a page in place of a token, a closed port, plain HTTP behind https, and an invalid address', async () => {
    const url = await serve((request, reply) => {
      if (request.url?.startsWith('/token') === true) return reply.end('<html>')
      const challenge = `Bearer realm="http://${request.headers.host}/token"`
      return reply.writeHead(401, { 'www-authenticate': challenge }).end()
    })
    const registry = client()
    await expect(registry.verify({ url, ...signIn })).rejects.toEqual(fault('registry-token-error'))
    await expect(registry.verify({ url: url.replace('http:', 'https:') })).rejects.toEqual(
      fault('outbound-tls-missing'),
    )
    await expect(registry.verify({ url: 'http://127.0.0.1:1' })).rejects.toEqual(fault('outbound-unreachable'))
    await expect(registry.verify({ url: 'http://169.254.169.254' })).rejects.toEqual(fault('outbound-refused'))
    for (const bad of ['x', 'ftp://host', 'https://host/path', 'https://host/?x']) {
      await expect(registry.verify({ url: bad })).rejects.toEqual(fault('registry-url-invalid'))
    }
  })

  test('is tried once, whatever failed before', async () => {
    let hits = 0
    const url = await serve((_, reply) => {
      hits++
      reply.writeHead(500).end()
    })
    const registry = client()
    for (let i = 0; i < 10; i++) await expect(registry.verify({ url })).rejects.toEqual(fault('registry-error'))
    expect(hits).toBe(10)
  })
})

describe('a failing registry', () => {
  /** Returns the given statuses in turn, then always 200. */
  const failing = async (...answers: [number, string][]): Promise<{ url: string; hits: () => number }> => {
    let hits = 0
    const url = await serve((_, reply) => {
      const [status, body] = answers[hits++] ?? [200, '{"tags":["1"]}']
      reply.writeHead(status).end(body)
    })
    return { url, hits: () => hits }
  }

  test.each([[500], [503], [429]])('%i: a read is tried three times', async (status) => {
    const flaky = await failing([status, ''], [status, ''])
    expect(await client().tags({ url: flaky.url }, 'a')).toEqual({ names: ['1'], next: null })
    expect(flaky.hits()).toBe(3)
  })

  test.each([
    [500, 'badGateway', 'registry-error'],
    [429, 'unavailable', 'registry-busy'],
  ])('%i each time: the cause of the last attempt is reported, in both languages', async (status, kind, key) => {
    const down = await failing([status, ''], [status, ''], [status, ''])
    const { host } = new URL(down.url)
    const error: unknown = await client()
      .tags({ url: down.url }, 'a')
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ kind, key: 'retry-exceeded', vars: { host, tries: 3 }, cause: { key } })
    if (!(error instanceof Fault)) throw error
    for (const lang of ['en', 'zh'] as const) {
      const hearer = { lang, actor: { admin: false } }
      const cause = sayTo(hearer, error.cause as Fault)
      expect(sayTo(hearer, error)).toBe(say(lang, 'retry-exceeded', { host, tries: 3, cause }))
      expect(sayReasonTo(hearer, reasonOf(error))).toBe(sayTo(hearer, error))
    }
    expect(down.hits()).toBe(3)
  })

  test('attempts end with the time for all of them', async () => {
    let now = 0
    let hits = 0
    const url = await serve((_, reply) => {
      hits++
      now += 60
      reply.writeHead(500).end()
    })
    const registry = client({ now: () => now })
    await expect(registry.tags({ url }, 'a', { within: 100 })).rejects.toMatchObject({
      key: 'retry-exceeded',
      vars: { tries: 2 },
    })
    expect(hits).toBe(2)
    await expect(registry.tags({ url }, 'a', { within: 50 })).rejects.toEqual(fault('registry-error'))
  })

  test('a body that breaks off is retried', async () => {
    let hits = 0
    const url = await serve((_, reply) => {
      if (hits++ > 0) return reply.end('{"tags":[]}')
      reply.writeHead(200, { 'content-length': '100' }).write('{"ta')
      return setImmediate(() => reply.destroy())
    })
    expect(await client().tags({ url }, 'a')).toEqual({ names: [], next: null })
    expect(hits).toBe(2)
  })

  test.each([
    ['a page', '<html>'],
    ['cut JSON', '{"tags":["1"'],
    ['another shape', '{"tags":{"a":1}}'],
  ])('%s has its own fault', async (_, body) => {
    const url = await serve((_, reply) => reply.end(body))
    await expect(client().tags({ url }, 'a')).rejects.toEqual(fault('outbound-not-json'))
  })

  test('a write is tried once', async () => {
    const flaky = await failing([500, ''], [500, ''], [500, ''])
    await expect(client().remove({ url: flaky.url }, 'a', sha('x'))).rejects.toEqual(fault('registry-error'))
    expect(flaky.hits()).toBe(1)
  })

  test('is not asked for a while, then tried again, and other registries are not affected', async () => {
    let now = 0
    const down = await failing(...Array.from({ length: 9 }, (): [number, string] => [500, '']))
    const fine = await failing()
    const registry = client({ now: () => now })
    for (let i = 0; i < 3; i++)
      await expect(registry.tags({ url: down.url }, 'a')).rejects.toEqual(fault('retry-exceeded'))
    expect(down.hits()).toBe(9)
    await expect(registry.tags({ url: down.url }, 'a')).rejects.toEqual(fault('registry-resting'))
    expect(down.hits()).toBe(9)
    await registry.tags({ url: fine.url }, 'a')
    now += 60_000
    expect((await registry.tags({ url: down.url }, 'a')).names).toEqual(['1'])
  })

  test('a missing object does not count as a failure', async () => {
    const url = await serve((_, reply) => reply.writeHead(404).end('{}'))
    const registry = client()
    for (let i = 0; i < 10; i++)
      await expect(registry.tags({ url }, 'a')).rejects.toEqual(fault('registry-image-unknown'))
  })
})

describe('the contents of a registry', () => {
  const config = JSON.stringify({
    architecture: 'amd64',
    os: 'linux',
    created: '2025-01-02T03:04:05Z',
    history: [{ created_by: 'ADD root' }, { created_by: 'CMD serve', empty_layer: true }],
  })
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: { digest: sha(config), size: config.length },
    layers: [
      { digest: sha('1'), size: 10 },
      { digest: sha('2'), size: 20 },
    ],
  })
  const index = JSON.stringify({
    schemaVersion: 2,
    manifests: [
      { digest: sha('arm'), size: 1, platform: { os: 'linux', architecture: 'arm64' } },
      { digest: sha(manifest), size: 1, platform: { os: 'linux', architecture: 'amd64' } },
    ],
  })
  const documents: Record<string, string> = {
    '/v2/a/manifests/1': manifest,
    '/v2/a/manifests/multi': index,
    [`/v2/a/manifests/${sha(manifest)}`]: manifest,
    [`/v2/a/manifests/${sha('other')}`]: manifest,
    [`/v2/a/blobs/${sha(config)}`]: config,
    '/v2/a/manifests/odd': '{"schemaVersion":1}',
  }
  const holding = (blobs?: string): Promise<string> =>
    serve((request, reply) => {
      const path = request.url ?? ''
      if (blobs !== undefined && path.includes('/blobs/')) {
        return reply.writeHead(307, { location: `${blobs}${path}` }).end()
      }
      const document = documents[path]
      return document === undefined ? reply.writeHead(404).end('{}') : reply.end(document)
    })

  test('describes an image, and of several platforms the usual one', async () => {
    const url = await holding()
    const registry = client()
    const wanted = {
      digest: sha(manifest),
      size: 30,
      type: 'image',
      createdAt: '2025-01-02T03:04:05.000Z',
      platform: 'linux/amd64',
      platforms: [{ name: 'linux/amd64', digest: sha(manifest) }],
      layers: [
        { digest: sha('1'), size: 10, createdBy: 'ADD root' },
        { digest: '', size: 0, createdBy: 'CMD serve' },
        { digest: sha('2'), size: 20, createdBy: '' },
      ],
    }
    expect(await registry.image({ url }, 'a', '1')).toEqual(wanted)
    expect(await registry.image({ url }, 'a', 'multi')).toEqual({
      ...wanted,
      digest: sha(index),
      platforms: [
        { name: 'linux/arm64', digest: sha('arm') },
        { name: 'linux/amd64', digest: sha(manifest) },
      ],
    })
    expect(await registry.digest({ url }, 'a', '1')).toBe(sha(manifest))
    expect(await registry.digest({ url }, 'a', 'none')).toBeNull()
    await expect(registry.image({ url }, 'a', 'none')).rejects.toEqual(fault('registry-image-unknown'))
    await expect(registry.image({ url }, 'a', 'odd')).rejects.toEqual(fault('outbound-not-json'))
    const platform = sha('arm')
    await expect(registry.image({ url }, 'a', 'multi', { platform })).rejects.toEqual(fault('registry-image-broken'))
  })

  test('a blob that is stored elsewhere is fetched from there, without the credentials', async () => {
    const seen: IncomingMessage[] = []
    const store = await serve((request, reply) => {
      seen.push(request)
      reply.end(documents[request.url ?? ''])
    })
    const url = await holding(store)
    expect((await client().image({ url, ...signIn }, 'a', '1')).platform).toBe('linux/amd64')
    expect(seen.map((request) => request.headers.authorization)).toEqual([undefined])
    const evil = await holding('http://169.254.169.254')
    await expect(client().image({ url: evil }, 'a', '1')).rejects.toEqual(fault('outbound-refused'))
  })

  test('bytes that do not match the digest are refused', async () => {
    const url = await holding()
    await expect(client().manifest({ url }, 'a', sha('other'))).rejects.toEqual(fault('registry-wrong-digest'))
  })

  test('lists are paged by the last name', async () => {
    const tags = ['a', 'b', 'c', 'd', 'e']
    const url = await serve((request, reply) => {
      const query = new URL(request.url ?? '', 'http://x').searchParams
      const rest = tags.filter((tag) => tag > (query.get('last') ?? ''))
      const names = rest.slice(0, Number(query.get('n')))
      const link = names.length < rest.length ? { link: `</v2/a/tags/list?last=${names.at(-1)}&n=2>; rel="next"` } : {}
      reply.writeHead(200, link).end(JSON.stringify({ tags: names }))
    })
    const registry = client()
    const found: string[] = []
    let next: string | null | undefined
    while (next !== null) {
      const page: { names: string[]; next: string | null } = await registry.tags({ url }, 'a', {
        limit: 2,
        ...(next !== undefined && { after: next }),
      })
      found.push(...page.names)
      next = page.next
    }
    expect(found).toEqual(tags)
  })

  test.each([
    ['a token', '</v2/a/tags/list?next_page=t%3D2&n=2>; rel="next"', '/v2/a/tags/list?next_page=t%3D2&n=2'],
    ['a whole address', '<http://HOST/v2/a/tags/list?page=2>; rel="next"', '/v2/a/tags/list?page=2'],
    ['a relative address', '<?page=2>; rel=next', '/v2/a/tags/list?page=2'],
    ['one among several', '</v2/x>; rel="prev", </v2/a/tags/list?last=a,b>;rel="next"', '/v2/a/tags/list?last=a,b'],
  ])('the next page is the target of the link, whatever its cursor: %s', async (_, link, next) => {
    const urls: (string | undefined)[] = []
    const url = await serve((request, reply) => {
      urls.push(request.url)
      const first = request.url === '/v2/a/tags/list?n=2'
      reply.writeHead(200, first ? { link: link.replace('HOST', request.headers.host ?? '') } : {})
      reply.end(JSON.stringify({ tags: [first ? '1' : '2'] }))
    })
    const registry = client()
    const page = await registry.tags({ url }, 'a', { limit: 2 })
    expect(page.next).toBe(next)
    expect(await registry.tags({ url }, 'a', { after: next })).toEqual({ names: ['2'], next: null })
    expect(urls).toEqual(['/v2/a/tags/list?n=2', next])
  })

  test.each([
    ['</v2/a/tags/list?page=1>; rel="prev"', null],
    ['</v2/a/tags/list?page=1>; rel="next-archive"', null],
    ['rel="next"', null],
  ])('a link to something else than the next page ends the list: %s', async (link, next) => {
    const url = await serve((_, reply) => reply.writeHead(200, { link }).end('{"tags":["1"]}'))
    expect(await client().tags({ url }, 'a')).toEqual({ names: ['1'], next })
  })

  test('a next page on another host is refused, because it would get the credentials', async () => {
    const url = await serve((_, reply) =>
      reply.writeHead(200, { link: '<http://localhost/v2/a/tags/list?page=2>; rel="next"' }).end('{"tags":["1"]}'),
    )
    await expect(client().tags({ url, ...signIn }, 'a')).rejects.toEqual(fault('outbound-redirect'))
  })

  test('names with path segments are refused before anything is sent', async () => {
    const registry = client()
    const url = 'http://127.0.0.1:1'
    for (const name of ['../v2', 'a/../b', 'A', 'a?x', 'a#x', '', 'a\r\nb']) {
      await expect(registry.tags({ url }, name)).rejects.toEqual(fault('registry-image-invalid'))
      await expect(registry.manifest({ url }, 'a', name === 'A' ? '../A' : name)).rejects.toEqual(
        fault('registry-image-invalid'),
      )
    }
  })
})

describe('pushing', () => {
  test('streams a blob once, then the manifest', async () => {
    const stored = new Map<string, string>()
    const url = await serve((request, reply) => {
      const at = new URL(request.url ?? '', 'http://x')
      const digest = at.pathname.split('/').at(-1) ?? ''
      if (request.method === 'HEAD') return reply.writeHead(stored.has(digest) ? 200 : 404).end()
      if (request.method === 'POST')
        return reply.writeHead(202, { location: 'http://127.0.0.1/v2/a/blobs/uploads/7?state=x' }).end()
      return textOf(request).then((text) => {
        stored.set(at.searchParams.get('digest') ?? digest, text)
        expect(at.pathname.includes('uploads')).toBe(at.searchParams.get('state') === 'x')
        reply.writeHead(201).end()
      })
    })
    const registry = client()
    let opened = 0
    const blob = {
      digest: sha('hello'),
      size: 5,
      open: () => {
        opened++
        return Readable.from([Buffer.from('hel'), Buffer.from('lo')])
      },
    }
    await registry.pushBlob({ url }, 'a', blob)
    await registry.pushBlob({ url }, 'a', blob)
    expect(opened).toBe(1)
    const text = JSON.stringify({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      layers: [],
    })
    expect(await registry.pushManifest({ url }, 'a', '1', text)).toBe(sha(text))
    expect([...stored]).toEqual([
      [sha('hello'), 'hello'],
      ['1', text],
    ])
  })

  test('refuses an upload URL on another host', async () => {
    const url = await serve((request, reply) => {
      if (request.method === 'HEAD') return reply.writeHead(404).end()
      return reply.writeHead(202, { location: 'http://localhost/v2/a' }).end()
    })
    const blob = { digest: sha('x'), size: 1, open: () => Buffer.from('x') }
    await expect(client().pushBlob({ url }, 'a', blob)).rejects.toEqual(fault('outbound-redirect'))
  })
})
