import type { ServerResponse } from 'node:http'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { admitLocal, type Answer, fakeApi, refuse, reply } from '../../../../test/kube-api.ts'
import { failure, get, keep, ok, pair, transportTo } from '../../../../test/transport-to.ts'
import { Fault } from '../../../kernel/fault.ts'
import { kubeFault } from '../faults.ts'
import type { KubeKind } from '../errors.ts'
import type { Health, Observed } from './transport.ts'

describe('a request', () => {
  test.each([[{ kind: 'token', token: 'a-token-of-the-cluster' }], [{ kind: 'token', token: 'Status' }]] as const)(
    'masks its credentials in what the cluster answers: %j',
    async (auth) => {
      const echo: Answer = ({ headers: { authorization = '' } }, response) =>
        refuse(response, 400, 'BadRequest', `no: ${authorization} ${authorization.slice(7)}`)
      const api = keep(await fakeApi(echo))
      const { message, kind } = await failure(transportTo(api, {}, { ...api.address, auth }).json(get))
      expect(kind).toBe('invalid')
      expect(message).toContain('********')
      expect(message).not.toMatch(/a-token-of|Status/)
    },
  )

  test('carries path, repeated query values, credentials, body and impersonated user', async () => {
    const { api, transport } = await pair(ok)
    await transport.json({
      method: 'PATCH',
      path: '/api/v1/pods',
      query: { command: ['a', 'b c'], force: true, left: undefined, limit: 5 },
      body: { a: 'é' },
      contentType: 'application/merge-patch+json',
      identity: { user: 'gantry:user:7', groups: ['gantry:team:1', 'gantry:team:2'] },
    })
    const [seen] = api.seen
    expect(seen?.query.toString()).toBe('command=a&command=b+c&force=true&limit=5')
    expect(seen?.body).toBe('{"a":"é"}')
    expect(seen?.headers).toMatchObject({
      authorization: 'Bearer test-token',
      'impersonate-user': 'gantry:user:7',
      'content-type': 'application/merge-patch+json',
    })
    const groups = seen?.rawHeaders.filter((_, at, all) => all[at - 1]?.toLowerCase() === 'impersonate-group')
    expect(groups).toEqual(['gantry:team:1', 'gantry:team:2'])
  })

  test('refuses an identity that could break a header, before anything is sent', async () => {
    const { api, transport } = await pair(ok)
    for (const user of ['', 'a b', 'a\r\nX: y', 'é'])
      await expect(transport.json({ ...get, identity: { user, groups: [] } })).rejects.toThrow(TypeError)
    expect(api.seen).toEqual([])
  })

  test('keeps the path of a server behind a gateway', async () => {
    const api = keep(await fakeApi(ok))
    const transport = transportTo(api, {}, { ...api.address, server: `${api.address.server}/k8s/clusters/c` })
    await transport.json(get)
    expect(api.seen[0]?.path).toBe('/k8s/clusters/c/version')
  })

  test('is retried once if the server had closed the kept connection', async () => {
    let first = true
    const changes: Health[] = []
    const { api, transport } = await pair(
      (seen, response) => {
        if (!first) return ok(seen, response)
        first = false
        response.destroy()
      },
      { onHealth: (health) => changes.push(health) },
    )
    await transport.json(get)
    expect(api.seen).toHaveLength(2)
    // the cluster's health is not affected by it
    expect(changes.map(({ state }) => state)).toEqual(['up'])
    first = true
    expect((await failure(transport.json({ ...get, method: 'POST' }))).kind).toBe('reset')
    expect(api.seen).toHaveLength(3)
  })

  test('ends with its budget, also in the middle of an answer', async () => {
    const { transport } = await pair((seen, response) => {
      if (seen.path === '/half') response.write('{')
    })
    const [silent, half] = await Promise.all([
      failure(transport.json({ ...get, budget: 30 })),
      failure(transport.json({ ...get, path: '/half', budget: 30 })),
    ])
    expect([silent.kind, half.kind]).toEqual(['timeout', 'timeout'])
  })

  test('ends with its budget while connecting, and costs the next one nothing', async () => {
    const api = keep(await fakeApi(ok))
    let hangs = true
    const transport = transportTo(api, {
      admit: (url) => (hangs ? new Promise(() => {}) : admitLocal(url)),
    })
    const calls = Array.from({ length: 20 }, () => failure(transport.json({ ...get, budget: 30 })))
    const connecting = (await Promise.all(calls)).slice(0, 8)
    expect(new Set(connecting.map(({ kind }) => kind))).toEqual(new Set(['timeout']))
    const stop = new AbortController()
    transport.replace(api.address)
    const given = transport.stream('watches', { ...get, signal: stop.signal })
    stop.abort(new Error('left'))
    await expect(given).rejects.toThrow('left')
    hangs = false
    transport.replace(api.address)
    expect(await transport.json(get)).toEqual({ ok: true })
    expect(api.seen).toHaveLength(1)
  })

  test('ends with its caller, with the caller’s own reason, and says nothing about the cluster', async () => {
    const { api, transport } = await pair(() => {})
    const reason = new Error('gone')
    const stop = new AbortController()
    const call = transport.json({ ...get, signal: stop.signal })
    await expect.poll(() => api.seen.length).toBe(1)
    stop.abort(reason)
    await expect(call).rejects.toBe(reason)
    await expect(transport.json({ ...get, signal: stop.signal })).rejects.toBe(reason)
    expect(transport.health().state).toBe('unknown')
    expect(api.seen).toHaveLength(1)
  })

  test('reads no more than its limit', async () => {
    const { transport } = await pair((_, response) => reply(response, 'x'.repeat(5000)))
    expect((await failure(transport.json({ ...get, limit: 1000 }))).kind).toBe('too-large')
    expect(await transport.json({ ...get, limit: 6000 })).toHaveLength(5000)
  })
})

describe('a cluster’s refusal', () => {
  test.each<[number, string, string, string]>([
    [401, 'Unauthorized', 'Unauthorized', 'credentials'],
    [403, 'Forbidden', 'pods is forbidden: User "u" cannot list', 'forbidden'],
    [403, 'Forbidden', 'nodes is forbidden: User "system:anonymous" cannot list resource "nodes"', 'anonymous'],
    [403, 'Forbidden', 'forbidden: User "system:anonymous" cannot get path "/api"', 'anonymous'],
    [403, 'Forbidden', 'pods "p" is forbidden: exceeded quota: q, requested: pods=1', 'quota'],
    [403, 'Forbidden', 'pods "p" is forbidden: violates PodSecurity "baseline:latest"', 'policy'],
    [404, 'NotFound', 'pods "p" not found', 'missing'],
    [409, 'AlreadyExists', 'pods "p" already exists', 'exists'],
    [409, 'Conflict', 'the object has been modified', 'conflict'],
    [410, 'Expired', 'too old resource version', 'gone'],
    [413, 'RequestEntityTooLarge', 'limit is 3145728', 'too-large'],
    [415, 'UnsupportedMediaType', 'no', 'invalid'],
    [422, 'Invalid', 'spec.replicas: must be positive', 'invalid'],
    [500, '', 'failed to create typed patch object (/x): .bogus: field not declared in schema', 'invalid'],
    [500, 'InternalError', 'boom', 'server'],
    [503, 'ServiceUnavailable', 'down', 'server'],
    [504, 'Timeout', 'request did not complete', 'timeout'],
  ])('%d %s “%.30s” is %s', async (code, reason, message, kind) => {
    const { transport } = await pair((_, response) => refuse(response, code, reason, message))
    const error = await failure(transport.json(get))
    expect(error).toMatchObject({ kind, reason, message, status: code, server: transport.server })
    const fault = kubeFault(error)
    expect(fault).toBeInstanceOf(Fault)
    expect(fault).not.toMatchObject({ kind: 'unauthenticated' })
  })

  test('of a terminating namespace differs from a missing right', async () => {
    const { transport } = await pair((_, response) =>
      reply(
        response,
        {
          kind: 'Status',
          reason: 'Forbidden',
          message: 'because it is being terminated',
          details: { causes: [{ reason: 'NamespaceTerminating' }] },
        },
        403,
      ),
    )
    expect((await failure(transport.json(get))).kind).toBe('terminating')
  })

  test.each([
    [200, '<html>a captive portal</html>', 'protocol'],
    [302, '', 'protocol'],
    [400, '<html>nginx</html>', 'protocol'],
    [400, 'Client sent an HTTP request to an HTTPS server.\n', 'tls-required'],
    [400, '<html><center>The plain HTTP request was sent to HTTPS port</center>', 'tls-required'],
    [404, '404 page not found', 'missing'],
    [502, '<html>bad gateway</html>', 'server'],
    [200, '{"cut": tr', 'protocol'],
  ])('%d %j is %s', async (status, text, kind) => {
    const { transport } = await pair((_, response) => void response.writeHead(status).end(text))
    expect(await failure(transport.json(get))).toMatchObject({ kind, reason: '' })
  })

  test('says whether the right is missing for the user or for the environment', async () => {
    const { transport } = await pair((_, response) => refuse(response, 403, 'Forbidden'))
    const own = kubeFault(await failure(transport.json(get)))
    const users = kubeFault(await failure(transport.json({ ...get, identity: { user: 'u', groups: [] } })))
    expect(own).toMatchObject({ kind: 'badGateway', key: 'kube-own-forbidden' })
    expect(users).toMatchObject({ kind: 'forbidden', key: 'kube-forbidden' })
  })
})

describe('a cluster that asks to wait', () => {
  test('is asked again after the requested time', async () => {
    let times = 0
    const { api, transport } = await pair((_, response) =>
      times++
        ? reply(response, { ok: true })
        : refuse(response, 429, 'TooManyRequests', 'slow', { 'retry-after': '1' }),
    )
    expect(await transport.json(get)).toEqual({ ok: true })
    expect(api.seen).toHaveLength(2)
  })

  test('is not asked if the requested time is longer than the budget', async () => {
    const { api, transport } = await pair((_, response) =>
      refuse(response, 429, 'TooManyRequests', 'slow', { 'retry-after': '30' }),
    )
    expect(await failure(transport.json(get))).toMatchObject({ kind: 'throttled', retryAfter: 30 })
    expect(await failure(transport.json(get))).toMatchObject({ kind: 'throttled', resting: true })
    expect(api.seen).toHaveLength(1)
  })

  test('still gets other calls after an eviction that a disruption budget forbids', async () => {
    const path = '/api/v1/namespaces/n/pods/p/eviction'
    const { api, transport } = await pair((seen, response) =>
      seen.path === path
        ? refuse(response, 429, 'TooManyRequests', 'disruption budget', { 'retry-after': '10' })
        : reply(response, {}),
    )
    expect((await failure(transport.json({ ...get, method: 'POST', path }))).kind).toBe('throttled')
    await transport.json(get)
    expect(api.seen).toHaveLength(2)
  })
})

describe('a failing cluster', () => {
  test('is not asked any more after three failures, reports the reason, and is tried again', async () => {
    const changes: Health[] = []
    const { api, transport } = await pair((_, response) => refuse(response, 503, 'ServiceUnavailable', 'down'), {
      onHealth: (health) => changes.push(health),
    })
    for (let i = 0; i < 10; i++) await failure(transport.json(get))
    expect(api.seen).toHaveLength(3)
    expect(await failure(transport.json(get))).toMatchObject({ kind: 'server', message: 'down', resting: true })
    api.answer(ok)
    await expect.poll(() => transport.json(get).catch(() => undefined)).toEqual({ ok: true })
    expect(changes.map(({ state, kind }) => kind ?? state)).toEqual(['server', 'up'])
  })

  test.each(['/apis/metrics.k8s.io/v1beta1/nodes', '/api/v1/nodes/n1/proxy/logs/', '/api/v1/namespaces/n/pods/p/log'])(
    'behind it, at %s, does not affect its health',
    async (path) => {
      const changes: Health[] = []
      const { api, transport } = await pair(ok, { onHealth: (health) => changes.push(health) })
      const behind = async (budget: number, answer: Answer) => {
        api.answer((seen, response) => (seen.path === path ? answer(seen, response) : ok(seen, response)))
        for (let i = 0; i < 4; i++) await failure(transport.json({ ...get, path, budget }))
      }
      await transport.json(get)
      await behind(30, () => undefined)
      await behind(5000, (_, response) => refuse(response, 503, 'ServiceUnavailable', 'error trying to reach service'))
      await behind(5000, (_, response) => void response.writeHead(400).end('tailLines: Invalid value\n'))
      expect(await transport.json(get)).toEqual({ ok: true })
      expect(changes.map(({ state }) => state)).toEqual(['up'])
    },
  )

  test('is not considered healthy because of answers from a server behind it', async () => {
    const { api, transport } = await pair((_, response) => refuse(response, 503, 'ServiceUnavailable', 'down'))
    for (let i = 0; i < 3; i++) {
      await failure(transport.json(get))
      await failure(transport.json({ ...get, path: '/apis/metrics.k8s.io/v1beta1/nodes' }))
    }
    expect(transport.health().state).toBe('down')
    expect(await failure(transport.json(get))).toMatchObject({ resting: true })
    expect(api.seen).toHaveLength(5)
  })

  test('that rejects our credentials reports it once, and counts as no outage', async () => {
    const changes: Health[] = []
    const { api, transport } = await pair((_, response) => refuse(response, 401, 'Unauthorized'), {
      onHealth: (health) => changes.push(health),
    })
    for (let i = 0; i < 6; i++) await failure(transport.json(get))
    expect(changes).toMatchObject([{ state: 'down', kind: 'credentials' }])
    expect(api.seen).toHaveLength(6)
  })

  test('that hangs has a limited number of requests waiting for a connection', async () => {
    const { transport } = await pair(() => {})
    const ended: KubeKind[] = []
    const calls = Array.from({ length: 250 }, async () => {
      ended.push((await failure(transport.json({ ...get, budget: 200 }))).kind)
    })
    await Promise.all(calls)
    // eight are in progress and 200 wait; the waiting ones are refused as soon as the first ones report that the
    // cluster hangs
    expect(ended.slice(0, 42)).toEqual(Array.from({ length: 42 }, () => 'busy'))
    expect(new Set(ended)).toEqual(new Set(['busy', 'timeout']))
    expect(ended.filter((kind) => kind === 'timeout').length).toBeGreaterThanOrEqual(8)
    expect(transport.health()).toMatchObject({ state: 'down', kind: 'timeout' })
  })

  test('that does not listen is reported as refused', async () => {
    const api = await fakeApi(ok)
    const transport = transportTo(api)
    await api[Symbol.asyncDispose]()
    expect((await failure(transport.json(get))).kind).toBe('refused')
  })
})

describe('a stream', () => {
  test('may last longer than the budget for its headers, and ends with the signal', async () => {
    const { transport } = await pair((_, response) => void response.write('one'))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const stop = new AbortController()
    const body = await transport.stream('watches', { ...get, budget: 50, signal: stop.signal })
    const chunks: string[] = []
    await expect(async () => {
      for await (const chunk of body) {
        chunks.push(String(chunk))
        await vi.advanceTimersByTimeAsync(100)
        stop.abort(new Error('enough'))
      }
    }).rejects.toThrow('enough')
    expect(chunks).toEqual(['one'])
  })
})

test('new credentials are used at once, and close the circuit breaker', async () => {
  const { api, transport } = await pair((_, response) => refuse(response, 503, ''))
  for (let i = 0; i < 5; i++) await failure(transport.json(get))
  api.answer(ok)
  transport.replace({ ...api.address, auth: { kind: 'token', token: 'new' } })
  expect(await transport.json(get)).toEqual({ ok: true })
  expect(api.seen.at(-1)?.headers.authorization).toBe('Bearer new')
})

test('a failure of old credentials does not affect the new ones', async () => {
  const waiting: ServerResponse[] = []
  const { api, transport } = await pair((seen, response) => {
    if (seen.headers.authorization === 'Bearer test-token') waiting.push(response)
    else reply(response, { ok: true })
  })
  const old = failure(transport.json(get))
  await expect.poll(() => waiting.length).toBe(1)
  transport.replace({ ...api.address, auth: { kind: 'token', token: 'new' } })
  await transport.json(get)
  for (const response of waiting) refuse(response, 401, 'Unauthorized')
  expect((await old).kind).toBe('credentials')
  expect(transport.health().state).toBe('up')
})

test('every request is counted once, with its outcome', async () => {
  const ends: Observed[] = []
  const { api, transport } = await pair(ok, { onRequest: (request) => ends.push(request) })
  await transport.json(get)
  api.answer((_, response) => refuse(response, 404, 'NotFound'))
  await failure(transport.json(get))
  expect(ends.map(({ kind, status }) => [kind, status])).toEqual([
    ['ok', 200],
    ['missing', 404],
  ])
})

test('a removed cluster gets no requests', async () => {
  const { api, transport } = await pair(ok)
  await transport.close()
  expect((await failure(transport.json(get))).kind).toBe('reset')
  expect(api.seen).toEqual([])
})
