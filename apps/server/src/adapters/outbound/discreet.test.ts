import { readFileSync } from 'node:fs'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Fault } from '../../kernel/fault.ts'
import { createGit } from '../git/git.ts'
import { createOpenStack } from '../openstack/openstack.ts'
import { createRegistry } from '../registry/registry.ts'
import { discreetly } from './discreet.ts'
import { createOutbound, type Outbound } from './outbound.ts'

const certificates = join(import.meta.dirname, '../../../test/certificates')
const pem = (name: string) => readFileSync(join(certificates, name))
const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const servers: Server[] = []
afterAll(async () => {
  for (const server of servers) server.close()
  await outbound.close()
})

/** The port of a server that listens. */
async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  servers.push(server)
  return (server.address() as AddressInfo).port
}
const http = (answer: RequestListener) => listen(createHttp(answer))
const status = (code: number, headers: Record<string, string> = {}) =>
  http((_, reply) => reply.writeHead(code, { 'content-type': 'text/html', ...headers }).end('<html>\n'))

const at = (scheme: string, port: number) => `${scheme}://127.0.0.1:${port}`
const account = { username: 'a', password: 'b', projectName: 'c', projectDomainName: 'd', userDomainName: 'd' }

const checks = (insideMs: number) => {
  const path = '/usr/local/bin:/usr/bin:/bin'
  const [git, registry] = [createGit({ path, outbound, insideMs }), createRegistry(outbound, { insideMs })]
  const openstack = createOpenStack(outbound, { insideMs })
  return {
    git: (url: string) => git.check({ kind: 'remote', url: `${url}/x.git` }, undefined, true),
    registry: (url: string) => registry.verify({ url }, undefined, true),
    openstack: (url: string) => openstack.verify({ ...account, authUrl: `${url}/v3` }, undefined, true),
  }
}

describe.each(['git', 'registry', 'openstack'] as const)(
  'a check of %s by somebody who is no administrator',
  (what) => {
    let places: Record<string, string>
    beforeAll(async () => {
      const closed = createTcp()
      const gone = await listen(closed)
      closed.close()
      const plain = await status(200)
      const secure = await listen(
        createHttps({ cert: pem('server.pem'), key: pem('server-key.pem') }, (_, reply) => reply.end()),
      )
      places = {
        closed: at('http', gone),
        'closed, asked by TLS': at('https', gone),
        silent: at('http', await listen(createTcp((socket) => socket.on('error', () => {}).resume()))),
        'of another protocol': at('http', await listen(createTcp((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')))),
        'a page': at('http', plain),
        'without TLS, asked by it': at('https', plain),
        'of TLS, asked without it': at('http', secure),
        'of TLS, of an unknown authority': at('https', secure),
        'not found': at('http', await status(404)),
        forbidden: at('http', await status(403)),
        'a redirect': at('http', await status(302, { location: '/elsewhere' })),
        broken: at('http', await status(500)),
      }
    })

    test('reveals nothing of an internal port, whatever listens there', async () => {
      const check = checks(2_000)[what]
      const said = Object.entries(places).map(async ([name, url]) => {
        const error: unknown = await check(url).catch((cause: unknown) => cause)
        if (!(error instanceof Fault)) throw new Error(`${name} was not refused: ${String(error)}`)
        return [name, error.kind, error.key, JSON.stringify(error.vars).replace(new URL(url).host, '<host>')]
      })
      const refused = ['badGateway', 'outbound-inside', '{"host":"<host>"}']
      expect(await Promise.all(said)).toEqual(Object.keys(places).map((name) => [name, ...refused]))
    })
  },
)

test('reports at once what a host says of passwords, and forbidden addresses and unknown names as always', async () => {
  // would be waited for if it were hidden
  const check = checks(600_000)
  const basic = await status(401, { 'www-authenticate': 'Basic realm="x"' })
  await expect(check.git(at('http', basic))).rejects.toMatchObject({ key: 'git-password-needed' })
  await expect(check.registry(at('http', basic))).rejects.toMatchObject({ key: 'registry-password-needed' })
  await expect(check.openstack(at('http', basic))).rejects.toMatchObject({ key: 'openstack-password-refused' })
  for (const one of [check.git, check.registry, check.openstack])
    await expect(one('http://169.254.169.254')).rejects.toMatchObject({ key: 'outbound-refused' })
})

test('reveals nothing of an internal address to which a public registry refers for its token', async () => {
  const isPublic = (url: URL | string) => new URL(url).hostname === 'registry.example.test'
  const headers = { 'www-authenticate': 'Bearer realm="https://inside.example.test:8443/token"' }
  const asked: string[] = []
  const away: Outbound = {
    ...outbound,
    admit: async (url) => ({ url: new URL(url), address: '', family: 4, addresses: [] }),
    reach: ({ url }) => (isPublic(url) ? 'public' : 'inside'),
    async request({ url }) {
      asked.push(new URL(url).host)
      if (isPublic(url)) return { status: 401, headers, url: new URL(url), body: Readable.from([]) }
      throw new Fault('badGateway', 'outbound-unreachable', { host: 'inside.example.test:8443' })
    },
  }
  const verify = createRegistry(away, { insideMs: 100 }).verify(
    { url: 'https://registry.example.test' },
    undefined,
    true,
  )
  await expect(verify).rejects.toMatchObject({ key: 'outbound-inside', vars: { host: 'registry.example.test' } })
  expect(asked).toEqual(['registry.example.test', 'inside.example.test:8443'])
})

describe('the delay', () => {
  const inside: Outbound = {
    ...outbound,
    admit: async (url) => ({ url: new URL(url), address: '', family: 4, addresses: [] }),
    reach: () => 'inside',
  }
  const discretion = { host: 'x', told: ['git-wrong-password'], ms: 10_000 } as const
  const failing = (fault: Fault) =>
    discreetly(inside, discretion, async (by) => {
      await by.admit('http://x')
      throw fault
    })
  const hanging = () =>
    discreetly(inside, discretion, async (by, signal) => {
      await by.admit('http://x')
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('over'))))
    })

  test('is the same for an immediate failure and for one that never ends, which is then aborted', async () => {
    vi.useFakeTimers()
    try {
      const settled: string[] = []
      const checks = { closed: failing(new Fault('badGateway', 'outbound-unreachable')), silent: hanging() }
      for (const [name, check] of Object.entries(checks))
        check.catch((error: unknown) => settled.push(`${name} ${(error as Fault).key}`))
      await vi.advanceTimersByTimeAsync(9_999)
      expect(settled).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      expect(settled.toSorted()).toEqual(['closed outbound-inside', 'silent outbound-inside'])
      await expect(failing(new Fault('invalid', 'git-wrong-password'))).rejects.toMatchObject({
        key: 'git-wrong-password',
      })
    } finally {
      vi.useRealTimers()
    }
  })
})
