import { createHash, randomBytes } from 'node:crypto'
import { createServer as createHttp, type ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { type AgentTells, encodeTell, tunnelProtocol } from '@gantry/tunnel/frames'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { type Link, openLink } from '../../../../../agent/src/cluster/link.ts'
import { keepLinks, restAfter } from '../../../../../agent/src/cluster/links.ts'
import { clusterAgent } from '../../../../test/cluster-agent.ts'
import { admitLocal, certificate, fakeApi, reply, type Seen } from '../../../../test/kube-api.ts'
import { watchedApi } from '../../../../test/watched-api.ts'
import { agentAddress } from '../transport/kubeconfig.ts'
import { openKube } from '../transport/pool.ts'
import { type Attached, openTunnels, type Tunnels } from './tunnels.ts'

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end()
})

const portOf = (server: { address: () => unknown }): number => (server.address() as AddressInfo).port

/** Accepts any cluster as the environment's. */
const alone: Attached = { claim: async () => true, ready: () => {} }

/** The server's end: any websocket is the agent of `far`. */
function serveTunnels(server: WebSocketServer, tunnels: Tunnels): void {
  server.on('connection', (ws) => {
    const tunnel = tunnels.attach(
      'far',
      { send: (bytes, sent) => ws.send(bytes, sent), close: (code, reason) => ws.close(code, reason) },
      alone,
    )
    ws.on('message', (data) => Buffer.isBuffer(data) && tunnel.receive(data))
    ws.once('close', () => tunnel.gone())
  })
  ending.push(() => {
    for (const ws of server.clients) ws.terminate()
    server.close()
  })
}

async function tunnelServer(tunnels: Tunnels) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await new Promise((resolve) => server.once('listening', resolve))
  serveTunnels(server, tunnels)
  return { url: `ws://127.0.0.1:${portOf(server)}`, server }
}

const report = (server: string) => ({ protocol: tunnelProtocol, server, ca: certificate('ca'), token: 'first-token' })

async function linked(api: string): Promise<{ tunnels: Tunnels; link: Link; url: string }> {
  const tunnels = openTunnels()
  const { url } = await tunnelServer(tunnels)
  const link = await openLink({ url, token: 't', api: new URL(api), report: report(api), onReplicas: () => {} })
  ending.push(() => link.close('done'))
  await expect.poll(() => tunnels.isConnected('far')).toBe(true)
  return { tunnels, link, url }
}

/** A TCP server; the test decides what a connection does. */
async function tcp(serve: (socket: Socket) => void): Promise<{ api: string; server: Server }> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    serve(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ending.push(() => server.close())
  return { api: `http://127.0.0.1:${portOf(server)}`, server }
}

const dialled = (tunnels: Tunnels): Duplex => {
  const { stream } = tunnels.dial('far', 'Far')
  stream.on('error', () => {})
  return stream
}

const hashOf = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const hash = createHash('sha256')
  for await (const part of stream) hash.update(part)
  return hash.digest('hex')
}

const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

test('10 MB in both directions at once, over many streams, arrive unchanged', async () => {
  const { api } = await tcp((socket) => void socket.pipe(socket))
  const { tunnels } = await linked(api)
  const sizes = [10_000_000, ...Array.from({ length: 40 }, (_, at) => at * 997)]
  const sent = sizes.map((size) => randomBytes(size))
  const got = await Promise.all(
    sent.map((bytes) => {
      const stream = dialled(tunnels)
      stream.end(bytes)
      return hashOf(stream)
    }),
  )
  expect(got).toEqual(sent.map(sha))
})

test('an unread stream delays no other, and buffers no more than its window', async () => {
  let poured = 0
  const { api } = await tcp((socket) => {
    socket.once('data', (data) => {
      if (String(data) !== 'pour') return void socket.end(data)
      const pour = (): void => {
        while (socket.writable && socket.write(Buffer.alloc(64 * 1024), () => (poured += 64 * 1024)));
        socket.once('drain', pour)
      }
      return pour()
    })
    socket.on('end', () => socket.end())
  })
  const { tunnels } = await linked(api)
  const slow = dialled(tunnels)
  slow.write('pour')
  await expect.poll(() => slow.readableLength).toBeGreaterThan(200_000)
  const quick = dialled(tunnels)
  quick.end('still here')
  expect(Buffer.concat(await quick.toArray()).toString()).toBe('still here')
  expect(slow.readableLength).toBeLessThanOrEqual(256 * 1024)
  // continues once it is read again
  const before = poured
  let read = 0
  for await (const part of slow) if ((read += (part as Buffer).length) > 20_000_000) break
  expect(poured).toBeGreaterThan(before)
})

test('after one side has ended, the other can still answer', async () => {
  const { api } = await tcp((socket) => {
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part as Buffer))
    socket.on('end', () => socket.end(`got ${Buffer.concat(parts).length}`))
  })
  const { tunnels, link } = await linked(api)
  const stream = dialled(tunnels)
  stream.end(Buffer.alloc(100_000))
  expect(Buffer.concat(await stream.toArray()).toString()).toBe('got 100000')
  await expect.poll(link.streams).toBe(0)
})

test('a failure behind the agent arrives here with its code, and an abort here arrives there', async () => {
  const seen: Socket[] = []
  const { api, server } = await tcp((socket) => {
    seen.push(socket)
    socket.once('data', () => socket.resetAndDestroy())
  })
  const { tunnels, link } = await linked(api)
  const failure = (stream: Duplex) => new Promise<NodeJS.ErrnoException>((resolve) => stream.once('error', resolve))
  const reset = dialled(tunnels)
  reset.write('now')
  expect((await failure(reset)).code).toBe('ECONNRESET')
  const given = dialled(tunnels)
  await expect.poll(() => seen.length).toBe(2)
  given.destroy()
  await expect.poll(() => seen[1]?.destroyed || seen[1]?.readableEnded).toBe(true)
  for (const socket of seen) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
  expect((await failure(dialled(tunnels))).code).toBe('ECONNREFUSED')
  await expect.poll(link.streams).toBe(0)
})

test('TLS ends at the API server itself, with its CA and the token that the agent last reported', async () => {
  await using api = await fakeApi((seen, response) => reply(response, { gitVersion: seen.headers.authorization }), {
    cert: certificate('server'),
    key: certificate('server-key'),
  })
  const kube = openKube({ admit: admitLocal })
  ending.push(() => kube.close())
  const { url } = await tunnelServer(kube.tunnels)
  const { server } = api.address
  const link = await openLink({ url, token: 't', api: new URL(server), report: report(server), onReplicas: () => {} })
  ending.push(() => link.close('done'))
  await expect.poll(() => kube.tunnels.isConnected('far')).toBe(true)
  const { kube: far } = kube.cluster('far', agentAddress('far', 'Far'))
  expect((await far.version()).gitVersion).toBe('Bearer first-token')
  link.tell({ ...report(server), token: 'next-token' })
  await expect.poll(async () => (await far.version()).gitVersion).toBe('Bearer next-token')

  const many = await Promise.all(Array.from({ length: 100 }, () => far.version()))
  expect(new Set(many.map(({ gitVersion }) => gitVersion))).toEqual(new Set(['Bearer next-token']))
  expect(link.streams()).toBeGreaterThan(0)
  await kube.remove('far')
  await expect.poll(link.streams).toBe(0)

  // an agent that reports another CA reaches no API server
  const other = openKube({ admit: admitLocal })
  ending.push(() => other.close())
  const there = await tunnelServer(other.tunnels)
  const foreign = { ...report(server), ca: certificate('client') }
  const second = await openLink({
    url: there.url,
    token: 't',
    api: new URL(server),
    report: foreign,
    onReplicas: () => {},
  })
  ending.push(() => second.close('done'))
  await expect.poll(() => other.tunnels.isConnected('far')).toBe(true)
  await expect(other.cluster('far', agentAddress('far', 'Far')).kube.version()).rejects.toMatchObject({
    kind: 'tls-untrusted',
  })
})

test('an absent agent is reported, and a returning one serves the same client', async () => {
  await using api = await fakeApi((_, response) => reply(response, { gitVersion: 'v1.34.0' }))
  const kube = openKube({ admit: admitLocal })
  ending.push(() => kube.close())
  const { kube: far } = kube.cluster('far', agentAddress('far', 'Far'))
  const away = { kind: 'agent', server: 'Far', since: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/) }
  await expect(far.version()).rejects.toMatchObject(away)
  const { url } = await tunnelServer(kube.tunnels)
  const { server } = api.address
  const dial = () => openLink({ url, token: 't', api: new URL(server), report: report(server), onReplicas: () => {} })
  const first = await dial()
  await expect.poll(() => far.version().catch(() => undefined)).toMatchObject({ gitVersion: 'v1.34.0' })
  first.close('on purpose')
  await first.ended
  await expect.poll(() => kube.tunnels.isConnected('far')).toBe(false)
  await expect(far.version()).rejects.toMatchObject(away)
  const second = await dial()
  ending.push(() => second.close('done'))
  await expect.poll(() => far.version().catch(() => undefined)).toMatchObject({ gitVersion: 'v1.34.0' })
})

test('renaming a cluster interrupts no log and reads nothing again; messages use the new name', async () => {
  await using api = await watchedApi({ pods: [{ metadata: { name: 'p', namespace: 'n' }, spec: { containers: [] } }] })
  const kube = openKube({ admit: admitLocal })
  ending.push(() => kube.close())
  const { url } = await tunnelServer(kube.tunnels)
  const { server } = api.address
  const link = await openLink({ url, token: 't', api: new URL(server), report: report(server), onReplicas: () => {} })
  await expect.poll(() => kube.tunnels.isConnected('far')).toBe(true)
  const far = kube.cluster('far', agentAddress('far', 'Far'))
  const lease = far.need('pods')
  await lease.ready()
  await expect.poll(() => api.watching('pods')).toBe(1)
  let log: ServerResponse | undefined
  api.answer((seen, response) => {
    if (!seen.path.endsWith('/log')) return api.normal(seen, response)
    log = response
    return response.write('before\n')
  })
  const lines = far.kube.log({ namespace: 'n', name: 'p' }, { container: 'c', follow: true })
  expect(await lines.next()).toMatchObject({ value: { text: 'before' } })

  const before = api.seen.length
  expect(kube.cluster('far', agentAddress('far', 'Near'))).toBe(far)
  log?.write('after\n')
  expect(await lines.next()).toMatchObject({ value: { text: 'after' } })
  await lines.return(undefined)
  api.put('pods', { metadata: { name: 'q', namespace: 'n' }, spec: { containers: [] } })
  await expect.poll(() => lease.size()).toBe(2)
  expect(lease.freshness().state).toBe('live')
  expect(api.seen).toHaveLength(before)

  link.close('done')
  await expect.poll(() => kube.tunnels.isConnected('far')).toBe(false)
  await expect(far.kube.version()).rejects.toMatchObject({ kind: 'agent', server: 'Near' })
  const terminal = far.kube.exec({ namespace: 'n', name: 'p' }, { container: 'c', command: ['sh'] })
  await expect(terminal).rejects.toMatchObject({ kind: 'agent', server: 'Near' })
})

test.for([
  ['speaks another protocol', { protocol: tunnelProtocol + 1 }],
  ['names a plain API server that is not its own machine', { server: 'http://10.0.0.1' }],
  ['tells a token that would break a header', { token: 'a\r\nb' }],
  ['tells an authority that is none', { ca: 'nonsense' }],
] as const)('an agent that %s is disconnected', async ([, wrong]) => {
  const tunnels = openTunnels()
  const { url } = await tunnelServer(tunnels)
  const api = 'http://127.0.0.1:9'
  const link = await openLink({
    url,
    token: 't',
    api: new URL(api),
    report: { ...report(api), ...wrong },
    onReplicas: () => {},
  })
  await link.ended
  expect(tunnels.isConnected('far')).toBe(false)
})

/** A connection with the server's end only. */
function attached(tunnels: Tunnels, claim: Attached['claim'] = alone.claim) {
  const closed: string[] = []
  const codes: number[] = []
  const close = (code: number, why: string) => void (codes.push(code), closed.push(why))
  const tunnel = tunnels.attach('far', { send: () => {}, close }, { ...alone, claim })
  const api = 'https://10.96.0.1'
  const tell = (more: Partial<AgentTells> = {}) => tunnel.receive(encodeTell({ ...report(api), ...more }))
  return { ...tunnel, tell, closed, codes }
}

test('an agent that reports or opens connections too often is disconnected', async () => {
  const tunnels = openTunnels()
  const one = attached(tunnels)
  for (let time = 1; time <= 10; time++) one.tell({ token: `token-${time}` })
  await expect.poll(() => tunnels.token('far')).toBe('token-10')
  expect(one.closed).toEqual([])
  one.tell({ token: 'token-11' })
  expect(one.closed).toEqual(['the agent tells too often'])
  const many = Array.from({ length: 21 }, () => attached(tunnels))
  expect(many.map(({ closed }) => closed.length)).toEqual([...many.slice(1).map(() => 0), 1])
})

test('a report of another cluster is refused, unless the same connection has proved the old CA before', async () => {
  const tunnels = openTunnels()
  const checks: [string, string | undefined][] = []
  const claims = (yes: boolean) => async (cluster: Buffer, before: Buffer | undefined) => {
    checks.push([cluster.toString('hex'), before?.toString('hex')])
    return yes
  }
  const moves: boolean[] = []
  tunnels.onReady((_, another) => moves.push(another))
  const right = attached(tunnels, claims(true))
  right.tell({ token: 'right' })
  await expect.poll(() => tunnels.token('far')).toBe('right')
  const wrong = attached(tunnels, claims(false))
  wrong.tell({ token: 'wrong', ca: certificate('client') })
  await expect.poll(() => wrong.closed).toEqual(['the environment is another cluster'])
  expect(tunnels.token('far')).toBe('right')
  // a new token, which comes every hour, needs no new claim
  right.tell({ token: 'next' })
  await expect.poll(() => tunnels.token('far')).toBe('next')
  right.tell({ token: 'last', ca: certificate('client') })
  await expect.poll(() => tunnels.token('far')).toBe('last')
  const [first, other] = checks.map(([cluster]) => cluster)
  expect(checks).toEqual([
    [first, undefined],
    [other, undefined],
    [other, first],
  ])
  // the cache stays, because it is the same cluster
  expect(moves).toEqual([false])
})

test('if an agent’s claim cannot be checked now, the agent is told to reconnect later, without the reason', async () => {
  const tunnels = openTunnels()
  const one = attached(tunnels, async () => {
    throw new Error('connect ECONNREFUSED 10.1.2.3:5432')
  })
  one.tell()
  await expect.poll(() => one.closed).toEqual(['which cluster the environment is cannot be read now'])
  expect(one.codes).toEqual([1013])
  expect(tunnels.isConnected('far')).toBe(false)
})

test('connections of a cluster that is no longer the environment’s are closed, and the others stay', async () => {
  const tunnels = openTunnels()
  const [one, two] = [attached(tunnels), attached(tunnels)]
  one.tell()
  two.tell({ ca: certificate('client') })
  await expect.poll(() => tunnels.connected()).toHaveLength(2)
  for (const { environment, cluster } of tunnels.connected().slice(0, 1)) tunnels.hangUp(environment, cluster)
  expect([one.closed, two.closed]).toEqual([['the environment is another cluster'], []])
  expect(tunnels.connected()).toHaveLength(1)
})

test('the cache of a cluster is cleared when another cluster’s agent connects', async () => {
  const nodes = (name: string) => async (seen: Seen, response: ServerResponse) =>
    seen.query.get('watch') === 'true'
      ? response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
      : reply(response, { metadata: { resourceVersion: '5' }, items: [{ metadata: { name, uid: name } }] })
  await using first = await fakeApi(nodes('old'))
  await using second = await fakeApi(nodes('new'))
  const kube = openKube({ admit: admitLocal })
  ending.push(() => kube.close())
  const { url } = await tunnelServer(kube.tunnels)
  const dial = ({ server }: { server: string }) =>
    openLink({ url, token: 't', api: new URL(server), report: { ...report(server), ca: '' }, onReplicas: () => {} })
  const cluster = kube.cluster('far', agentAddress('far', 'Far'))
  using lease = cluster.need('nodes')
  const names = () => [lease.freshness().state, ...lease.all().map(({ name }) => name)]
  const one = await dial(first.address)
  await expect.poll(names).toEqual(['live', 'old'])
  one.close('moves')
  await one.ended
  await expect.poll(() => kube.tunnels.isConnected('far')).toBe(false)
  const other = await dial(second.address)
  ending.push(() => other.close('done'))
  await expect.poll(names).toEqual(['live', 'new'])
})

test('a connection that the network dropped is noticed by its silence', async () => {
  const api = 'http://127.0.0.1:9'
  const deaf = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: false })
  await new Promise((resolve) => deaf.once('listening', resolve))
  ending.push(() => deaf.close())
  deaf.on('connection', (ws) =>
    openTunnels().attach('far', { send: (bytes, sent) => ws.send(bytes, sent), close: () => {} }, alone),
  )
  const link = await openLink({
    url: `ws://127.0.0.1:${portOf(deaf)}`,
    token: 't',
    api: new URL(api),
    report: report(api),
    onReplicas: () => {},
    pulseMs: 50,
  })
  expect((await link.ended).refused).toBe(false)
})

/** A fake connection. */
function fakeLink(replica: string): Link & { end: () => void; closed: string[] } {
  let finish = (_: { reason: string; refused: boolean }): void => {}
  const ended = new Promise<{ reason: string; refused: boolean }>((resolve) => (finish = resolve))
  const closed: string[] = []
  const end = () => finish({ reason: 'gone', refused: false })
  return {
    replica,
    tell: () => {},
    streams: () => 0,
    ended,
    closed,
    end,
    close: (why) => {
      closed.push(why)
      end()
    },
  }
}

test('duplicate connections are closed, and a lost replica is connected again', async () => {
  const order = ['a', 'a', 'b', 'a']
  const made: ReturnType<typeof fakeLink>[] = []
  const links = keepLinks({
    log: () => {},
    random: () => 0,
    open: async (onReplicas) => {
      const link = fakeLink(order[made.length] ?? 'c')
      made.push(link)
      onReplicas(2)
      return link
    },
  })
  const names = () => made.map(({ replica, closed }) => `${replica}${closed.join('')}`)
  await expect.poll(names).toEqual(['a', 'adouble', 'b'])
  made[0]?.end()
  await expect.poll(names).toEqual(['a', 'adouble', 'b', 'a'])
  await links.stop(0)
  expect(made[3]?.closed).toEqual(['the agent ends'])
})

test('an agent behind a proxy goes through it, and trusts a given CA', async () => {
  const tunnels = openTunnels()
  const secure = createHttps({ cert: certificate('server'), key: certificate('server-key') })
  serveTunnels(new WebSocketServer({ server: secure, perMessageDeflate: false }), tunnels)
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
  const requests: string[] = []
  const proxy = createHttp()
  proxy.on('connect', (request, socket: Socket) => {
    requests.push(request.url ?? '')
    const out = connect(portOf(secure), '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    out.on('error', () => socket.destroy()).pipe(socket)
    socket.on('error', () => out.destroy()).pipe(out)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const agent = clusterAgent({
    server: `https://127.0.0.1:${portOf(secure)}`,
    token: 't',
    account: { server: 'https://127.0.0.1:9', token: 'account-token', ca: '' },
    env: {
      HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
      NODE_EXTRA_CA_CERTS: join(import.meta.dirname, '../../../../test/certificates/ca.pem'),
    },
  })
  ending.push(
    () => proxy.close(),
    () => secure.close(),
    () => agent.kill(),
  )
  await expect.poll(() => tunnels.token('far')).toBe('account-token')
  expect(requests).toEqual([`127.0.0.1:${portOf(secure)}`])
})

test('an agent that is disconnected at once reconnects less and less often', async () => {
  vi.useFakeTimers()
  ending.push(() => vi.useRealTimers())
  let attempts = 0
  const links = keepLinks({
    log: () => {},
    random: () => 0,
    open: async () => {
      attempts += 1
      const link = fakeLink('a')
      link.end()
      return link
    },
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(attempts).toBeGreaterThan(5)
  expect(attempts).toBeLessThan(10)
  const stopped = links.stop(0)
  await vi.advanceTimersByTimeAsync(3000)
  await stopped
})

test('pauses grow from half a second to half a minute, with jitter', () => {
  expect([1, 2, 3, 6, 99].map((failures) => [restAfter(failures, 0), restAfter(failures, 1)])).toEqual([
    [500, 1000],
    [1000, 2000],
    [2000, 4000],
    [15_000, 30_000],
    [15_000, 30_000],
  ])
})
