import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { admitLocal, fakeApi, refuse, reply } from '../../../test/kube-api.ts'
import type { Answer } from '../../../test/kube-api.ts'
import { KubeError } from './errors.ts'
import { openReflector } from './reflector.ts'
import type { Freshness, ReflectorTiming } from './reflector.ts'
import { configMaps, secrets } from './resources.ts'
import type { Change } from './rows.ts'
import { openTransport } from './transport.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

interface Row {
  name: string
  value: string
}

interface Stored {
  apiVersion: 'v1'
  kind: 'ConfigMap'
  metadata: { name: string; namespace: string; uid: string; resourceVersion: string }
  data: { value: string }
}

const map = (name: string, value: string, version: number, namespace = 'n'): Stored => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, uid: `uid-${name}`, resourceVersion: String(version) },
  data: { value },
})

const line = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`
const bookmark = (version: number) =>
  line('BOOKMARK', { kind: 'ConfigMap', metadata: { resourceVersion: String(version) } })
const goneStatus = {
  kind: 'Status',
  status: 'Failure',
  code: 410,
  reason: 'Expired',
  message: 'too old resource version',
}

/** A small API server for one kind: lists `objects` by pages, keeps watches open for the test to speak through. */
async function cluster(objects: Stored[], timing: Partial<ReflectorTiming> = {}) {
  const watches: { from: string; response: ServerResponse }[] = []
  const normal: Answer = ({ query }, response) => {
    if (query.get('watch') === 'true') {
      watches.push({ from: query.get('resourceVersion') ?? '', response })
      response.writeHead(200).flushHeaders()
      return
    }
    const from = Number(query.get('continue') ?? 0)
    const to = from + Number(query.get('limit'))
    const next = to < objects.length ? { continue: String(to) } : {}
    reply(response, { metadata: { resourceVersion: '100', ...next }, items: objects.slice(from, to) })
  }
  const api = await fakeApi(normal)
  const transport = openTransport(api.address, { admit: admitLocal })
  const faults: unknown[] = []
  const reflector = openReflector(
    transport,
    {
      resource: configMaps,
      keep: ({ metadata, data }): Row => {
        if (data?.['value'] === 'poison') throw new Error('cannot be kept')
        return { name: metadata?.name ?? '', value: data?.['value'] ?? '' }
      },
    },
    { timing: { rest: 0.01, ...timing }, onFault: (error) => faults.push(error) },
  )
  open.push(async () => {
    reflector.stop()
    await transport.close()
    await api[Symbol.asyncDispose]()
  })
  const lists = () => api.seen.filter(({ query }) => !query.has('watch'))
  /** The nth watch (from 1), as soon as it is there. */
  const watch = async (nth: number) => {
    await expect.poll(() => watches.length, { timeout: 5000 }).toBeGreaterThanOrEqual(nth)
    const found = watches[nth - 1]
    if (!found) throw new Error(`no watch ${nth}`)
    return found
  }
  return { api, transport, reflector, watches, watch, lists, faults, normal }
}

/** A lease with everything that it tells. */
function listening<R extends { need: () => ReturnType<Awaited<ReturnType<typeof cluster>>['reflector']['need']> }>(
  reflector: R,
) {
  const lease = reflector.need()
  const told: string[] = []
  const states: Freshness[] = []
  lease.on(({ type, row }: Change<Row>) => told.push(`${type} ${row.name}=${row.value}`))
  lease.onFreshness((freshness) => states.push(freshness))
  return { lease, told, states }
}

const values = (lease: { all: () => Row[] }) => Object.fromEntries(lease.all().map(({ name, value }) => [name, value]))
const settle = (ms = 150) => new Promise((resolve) => setTimeout(resolve, ms))

describe('a healthy cluster', () => {
  test('is listed by pages once for all who need it, then watched from the list’s version on', async () => {
    const objects = Array.from({ length: 1200 }, (_, i) => map(`m${i}`, 'a', i, i % 2 ? 'odd' : 'even'))
    const { reflector, lists, watch, watches } = await cluster(objects)
    const { lease, told } = listening(reflector)
    const other = reflector.need()
    expect((await lease.ready()).state).toBe('live')
    expect((await other.ready()).state).toBe('live')
    expect(lists()).toHaveLength(3)
    expect((await watch(1)).from).toBe('100')
    expect(watches).toHaveLength(1)
    expect(lease.size()).toBe(1200)
    expect(lease.inNamespace('odd')).toHaveLength(600)
    expect(lease.get({ name: 'm7', namespace: 'odd' })).toEqual({ name: 'm7', value: 'a' })
    expect(told).toHaveLength(1200)
  })

  test('tells changes in their order, also when they come in small pieces or many at once', async () => {
    const { reflector, watch } = await cluster([map('a', '1', 1)])
    const { lease, told } = listening(reflector)
    await lease.ready()
    const { response } = await watch(1)
    const text = [
      line('ADDED', map('é', '1', 101)),
      line('MODIFIED', map('a', '2', 102)),
      line('MODIFIED', map('a', '2', 103)),
      bookmark(104),
      line('DELETED', map('é', '1', 105)),
    ].join('')
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += 7) {
      response.write(bytes.subarray(at, at + 7))
      if (at % 70 === 0) await settle(1)
    }
    await expect.poll(() => told).toEqual(['added a=1', 'added é=1', 'changed a=2', 'removed é=1'])
    expect(values(lease)).toEqual({ a: '2' })
  })

  test('that ends the watch in order is watched on at once from where it was, and stays live', async () => {
    const { reflector, watch, lists } = await cluster([], { lived: 0 })
    const { lease, states } = listening(reflector)
    await lease.ready()
    ;(await watch(1)).response.end(bookmark(150))
    expect((await watch(2)).from).toBe('150')
    ;(await watch(2)).response.end(line('ADDED', map('a', '1', 160)))
    expect((await watch(3)).from).toBe('160')
    expect(lists()).toHaveLength(1)
    expect(states.map(({ state }) => state)).toEqual(['live'])
  })

  test('a row that cannot be made, and a listener that throws, are told and hurt nobody else', async () => {
    const { reflector, faults } = await cluster([map('a', 'poison', 1), map('b', '1', 2)])
    const lease = reflector.need()
    lease.on(() => {
      throw new Error('bad listener')
    })
    await lease.ready()
    expect(values(lease)).toEqual({ b: '1' })
    expect(faults).toHaveLength(2)
  })
})

describe('a version that is gone', () => {
  test.each<[string, Answer | undefined]>([
    ['inside the stream', undefined],
    ['as a status', (_, response) => refuse(response, 410, 'Expired', 'too old resource version')],
  ])('%s: one new list, one new watch, rows compared', async (_, asStatus) => {
    const objects = [map('a', '1', 1), map('b', '1', 2)]
    const { reflector, watch, lists, api, normal } = await cluster(objects)
    const { lease, told, states } = listening(reflector)
    await lease.ready()
    const { response } = await watch(1)
    objects.splice(0, 2, map('a', '2', 105), map('c', '1', 106))
    told.length = 0
    if (asStatus) {
      let refused = false
      api.answer((seen, answer) => {
        if (refused || seen.query.get('watch') !== 'true') return normal(seen, answer)
        refused = true
        return asStatus(seen, answer)
      })
      response.end(bookmark(101))
    } else response.write(line('ERROR', goneStatus))
    await watch(2)
    expect(lists()).toHaveLength(2)
    expect(told).toEqual(['changed a=2', 'added c=1', 'removed b=1'])
    await expect.poll(() => lease.freshness().state).toBe('live')
    expect(states.map(({ state }) => state)).toEqual(['live', 'stale', 'live'])
  })

  test('again and again never makes a storm', async () => {
    const { reflector, lists, api, normal } = await cluster([], { rest: 0.1 })
    api.answer((seen, response) =>
      seen.query.get('watch') === 'true'
        ? void response.writeHead(200).end(line('ERROR', goneStatus))
        : normal(seen, response),
    )
    const lease = reflector.need()
    await lease.ready()
    await expect.poll(() => lists().length).toBeGreaterThan(1)
    await settle(1000)
    // Rests of 0.1, 0.2, 0.4 and 0.8 s, each at least half of that.
    expect(lists().length).toBeLessThanOrEqual(6)
  })

  test('in the middle of a list begins it anew', async () => {
    const objects = Array.from({ length: 600 }, (_, i) => map(`m${i}`, 'a', i))
    const { reflector, lists, api, normal } = await cluster(objects)
    let broken = false
    api.answer((seen, response) => {
      if (broken || !seen.query.has('continue')) return normal(seen, response)
      broken = true
      refuse(response, 410, 'Expired', 'continue token too old')
    })
    const lease = reflector.need()
    await expect.poll(() => lease.freshness().state).toBe('live')
    expect(lists().map(({ query }) => query.get('continue'))).toEqual([null, '500', null, '500'])
    expect(lease.size()).toBe(600)
  })
})

describe('a watch that dies', () => {
  test('silently is noticed by the bookmarks that stay out', async () => {
    const { reflector, watch, lists } = await cluster([map('a', '1', 1)], { quiet: 100 })
    const { lease, states } = listening(reflector)
    await lease.ready()
    ;(await watch(1)).response.write(bookmark(130))
    expect((await watch(2)).from).toBe('130')
    expect(lists()).toHaveLength(1)
    expect(states.map(({ state, error }) => error?.kind ?? state)).toEqual(['live', 'timeout', 'live'])
  })

  test('is opened anew from where it was when the cluster fails somebody else', async () => {
    const { reflector, watch, lists } = await cluster([map('a', '1', 1)])
    const { lease, states } = listening(reflector)
    const { response } = await watch(1)
    response.write(bookmark(140))
    await settle()
    reflector.doubt(new KubeError('credentials', 'cluster:6443', 'revoked'))
    expect((await watch(2)).from).toBe('140')
    await expect.poll(() => lease.freshness().state).toBe('live')
    expect(states.map(({ state, error }) => error?.kind ?? state)).toEqual(['live', 'credentials', 'live'])
    expect(lists()).toHaveLength(1)
    expect(values(lease)).toEqual({ a: '1' })
  })

  test('in the middle of an event goes on from the last whole one', async () => {
    const { reflector, watch } = await cluster([])
    const { lease } = listening(reflector)
    await lease.ready()
    ;(await watch(1)).response.end(line('ADDED', map('a', '1', 110)) + '{"type":"MODIFIED","obj')
    const second = await watch(2)
    expect(second.from).toBe('110')
    second.response.write(line('MODIFIED', map('a', '2', 111)))
    await expect.poll(() => values(lease)).toEqual({ a: '2' })
  })

  test('with the network keeps its rows, says since when, and comes back', async () => {
    const { reflector, watch, api, watches } = await cluster([map('a', '1', 1)])
    const { lease } = listening(reflector)
    await lease.ready()
    ;(await watch(1)).response.write(line('MODIFIED', map('a', '2', 101)))
    await expect.poll(() => values(lease)).toEqual({ a: '2' })
    const before = Date.now()
    api.answer((_, response) => response.destroy())
    api.cut()
    await expect.poll(() => lease.freshness().state).toBe('stale')
    expect(lease.freshness().error?.kind).toBe('reset')
    expect(lease.freshness().since).toBeLessThanOrEqual(before)
    expect(values(lease)).toEqual({ a: '2' })
    api.answer(({ query }, response) => {
      watches.push({ from: query.get('resourceVersion') ?? '', response })
      response.writeHead(200).flushHeaders()
    })
    await expect.poll(() => lease.freshness().state, { timeout: 15_000 }).toBe('live')
  })

  test('with an event that Kubernetes does not have, or an error of its own, is watched anew', async () => {
    const { reflector, watch, lists } = await cluster([])
    const { lease } = listening(reflector)
    await lease.ready()
    ;(await watch(1)).response.write(line('SURPRISE', map('a', '1', 5)))
    ;(await watch(2)).response.write(line('ERROR', { kind: 'Status', code: 500, message: 'etcd' }))
    await watch(3)
    expect(lists()).toHaveLength(1)
  })
})

describe('a cluster that refuses', () => {
  test('from the beginning: whoever waits hears why at once, and rows come when it recovers', async () => {
    const { reflector, api, normal } = await cluster([map('a', '1', 1)])
    api.answer((_, response) => refuse(response, 401, 'Unauthorized'))
    const lease = reflector.need()
    expect(await lease.ready()).toMatchObject({ state: 'loading', error: { kind: 'credentials' } })
    expect(lease.all()).toEqual([])
    api.answer(normal)
    await expect.poll(() => lease.freshness().state, { timeout: 5000 }).toBe('live')
  })

  test('does not rest any longer than it must once it is known to be back', async () => {
    const { reflector, api, normal } = await cluster([], { rest: 1000 })
    api.answer((_, response) => refuse(response, 500, 'InternalError'))
    const lease = reflector.need()
    await lease.ready()
    api.answer(normal)
    reflector.wake()
    await expect.poll(() => lease.freshness().state).toBe('live')
  })

  test('to answer in a form that Kubernetes has is asked again later', async () => {
    const { reflector, api, normal } = await cluster([map('a', '1', 1)])
    api.answer((_, response) => reply(response, { metadata: { resourceVersion: '1' }, items: 5 }))
    const lease = reflector.need()
    expect(await lease.ready()).toMatchObject({ state: 'loading', error: { kind: 'protocol' } })
    api.answer(normal)
    await expect.poll(() => lease.size(), { timeout: 5000 }).toBe(1)
  })

  test('large pages gets smaller ones', async () => {
    const objects = Array.from({ length: 150 }, (_, i) => map(`m${i}`, 'a', i))
    const { reflector, lists, api, normal } = await cluster(objects)
    api.answer((seen, response) =>
      Number(seen.query.get('limit') ?? 0) > 100
        ? refuse(response, 413, 'RequestEntityTooLarge')
        : normal(seen, response),
    )
    const lease = reflector.need()
    await lease.ready()
    expect(lease.size()).toBe(150)
    expect(lists().map(({ query }) => query.get('limit'))).toEqual(['500', '100', '100'])
  })
})

describe('leases', () => {
  test('nothing is asked before the first; it stops and forgets some time after the last', async () => {
    const { reflector, api, lists, watch } = await cluster([map('a', '1', 1)], { idle: 50 })
    await settle(20)
    expect(api.seen).toEqual([])
    const first = reflector.need()
    const second = reflector.need()
    await first.ready()
    await watch(1)
    first.release()
    first.release()
    await settle(120)
    expect(reflector.running()).toBe(true)
    second.release()
    await expect.poll(() => reflector.running()).toBe(false)
    expect(reflector.size()).toBe(0)
    const again = reflector.need()
    expect((await again.ready()).state).toBe('live')
    expect(again.size()).toBe(1)
    expect(lists()).toHaveLength(2)
  })

  test('one that comes within that time finds the rows as they are', async () => {
    const { reflector, lists } = await cluster([map('a', '1', 1)], { idle: 200 })
    for (let i = 0; i < 5; i++) {
      using lease = reflector.need()
      expect((await lease.ready()).state).toBe('live')
      await settle(20)
    }
    await settle(100)
    expect(reflector.running()).toBe(true)
    expect(lists()).toHaveLength(1)
  })

  test('a release ends what its lease listens to', async () => {
    const { reflector, watch } = await cluster([])
    const { lease, told } = listening(reflector)
    const other = listening(reflector)
    await lease.ready()
    lease.release()
    ;(await watch(1)).response.write(line('ADDED', map('a', '1', 101)))
    await expect.poll(() => other.told).toEqual(['added a=1'])
    expect(told).toEqual([])
  })

  test('a restart lists anew, and keeps what is there until then', async () => {
    const objects = [map('a', '1', 1)]
    const { reflector, lists, watch } = await cluster(objects)
    const { lease, told } = listening(reflector)
    await lease.ready()
    await watch(1)
    objects[0] = map('b', '1', 2)
    reflector.restart()
    expect(values(lease)).toEqual({ a: '1' })
    await watch(2)
    expect(told).toEqual(['added a=1', 'added b=1', 'removed a=1'])
    expect(lists()).toHaveLength(2)
  })
})

test('Secrets are never kept', async () => {
  const { transport } = await cluster([])
  expect(() => openReflector(transport, { resource: secrets, keep: () => ({}) })).toThrow(TypeError)
})
