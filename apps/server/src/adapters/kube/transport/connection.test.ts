import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { certificate, fakeApi } from '../../../../test/kube-api.ts'
import { failure, get, keep, ok, transportTo } from '../../../../test/transport-to.ts'
import { Fault } from '../../../kernel/fault.ts'
import { kubeOver } from '../client.ts'
import type { KubeKind } from '../errors.ts'
import { kubeFault } from '../faults.ts'

describe('certificates', () => {
  const server = { cert: certificate('server'), key: certificate('server-key') }

  test('are trusted from the given CA only', async () => {
    const api = keep(await fakeApi(ok, server))
    expect(await transportTo(api).json(get)).toEqual({ ok: true })
    const stranger = transportTo(api, {}, { ...api.address, ca: undefined })
    expect((await failure(stranger.json(get))).kind).toBe('tls-untrusted')
    const trusting = transportTo(api, { rootCa: [certificate('ca')] }, { ...api.address, ca: undefined })
    expect(await trusting.json(get)).toEqual({ ok: true })
  })

  test('must name the host, or the expected name', async () => {
    const other = { cert: certificate('other'), key: certificate('other-key') }
    const api = keep(await fakeApi(ok, other))
    expect((await failure(transportTo(api).json(get))).kind).toBe('tls-name')
    const named = transportTo(api, {}, { ...api.address, tlsServerName: 'other.test' })
    expect(await named.json(get)).toEqual({ ok: true })
  })

  test('are checked for the host’s name, even if another address is dialled', async () => {
    const api = keep(await fakeApi(ok, server))
    const address = { ...api.address, server: api.address.server.replace('127.0.0.1', 'cluster.test') }
    expect(await transportTo(api, {}, address).json(get)).toEqual({ ok: true })
  })

  test('of clients are presented', async () => {
    const api = keep(await fakeApi(ok, { ...server, ca: certificate('ca') }))
    const auth = { kind: 'certificate', cert: certificate('client'), key: certificate('client-key') } as const
    const connected = once(api.server, 'secureConnection')
    await transportTo(api, {}, { ...api.address, auth }).json(get)
    const [socket] = await connected
    expect(socket.getPeerCertificate().subject).toEqual({ CN: 'client' })
    expect(api.seen[0]?.headers.authorization).toBeUndefined()
  })
})

describe('a server that is not an API server behind TLS', () => {
  test.each<[what: string, said: string, scheme: string, kind: KubeKind]>([
    ['https, and the server speaks plain http', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'https', 'tls-missing'],
    ['https, and the server speaks something else', 'SSH-2.0-OpenSSH_9.6\r\n', 'https', 'tls-missing'],
    ['https, and the server closes the connection', '', 'https', 'reset'],
    ['http, and the server speaks something else', 'SSH-2.0-OpenSSH_9.6\r\n', 'http', 'protocol'],
  ])('%s', async (_, said, scheme, kind) => {
    const server = createServer(
      (socket) => void socket.on('error', () => undefined).once('data', () => socket.end(said)),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const api = keep(await fakeApi(ok))
    const { port } = server.address() as AddressInfo
    const transport = transportTo(api, {}, { ...api.address, server: `${scheme}://127.0.0.1:${port}` })
    expect((await failure(transport.json(get))).kind).toBe(kind)
  })

  test('still has its own cause while the circuit breaker is open', async () => {
    const api = keep(await fakeApi(ok))
    const transport = transportTo(api, {}, { ...api.address, server: api.address.server.replace('http:', 'https:') })
    for (let i = 0; i < 3; i++) await failure(transport.json(get))
    expect(await failure(transport.json(get))).toMatchObject({ kind: 'tls-missing', resting: true })
  })
})

describe('a value that TLS refuses before connecting is reported', () => {
  const weak = { kind: 'certificate', cert: certificate('weak'), key: certificate('weak-key') } as const

  test.each([
    ['a client’s certificate with a key that is too small', { auth: weak }, /key too small/],
    ['an IP address for a name', { tlsServerName: '10.0.0.1' }, /IP address/],
  ])('%s: every call fails with the cause, and the process keeps running', async (_, wrong, message) => {
    const api = keep(await fakeApi(ok, { cert: certificate('server'), key: certificate('server-key') }))
    const transport = transportTo(api, {}, { ...api.address, ...wrong })
    const refusals = [
      failure(transport.json(get)),
      failure(transport.stream('watches', get)),
      failure(kubeOver(transport).exec({ namespace: 'n', name: 'p' }, { container: 'c', command: ['sh'] })),
    ]
    for (const error of await Promise.all(refusals)) {
      expect(error.kind).toBe('tls')
      expect(error.message).toMatch(message)
    }
    expect(api.seen).toEqual([])
  })
})

describe('the outbound guard', () => {
  test('is asked before connecting; its own text reaches the user, and the cluster’s health is not affected', async () => {
    const api = keep(await fakeApi(ok))
    const fault = new Fault('invalid', 'kube-blocked', { server: 'x' })
    const transport = transportTo(api, { admit: () => Promise.reject(fault) })
    for (let i = 0; i < 5; i++) {
      const error = await failure(transport.json(get))
      expect(error).toMatchObject({ kind: 'blocked', resting: false })
      expect(kubeFault(error)).toBe(fault)
    }
    expect((await failure(transport.dial(get).then(() => {}))).kind).toBe('blocked')
    expect(api.seen).toEqual([])
  })
})
