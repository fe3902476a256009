import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Answer, refuse, reply } from '../../../../test/kube-api.ts'
import { bookmark, line, listening, map, reflected, settle, values } from '../../../../test/reflected.ts'
import { KubeError } from '../errors.ts'

const goneStatus = {
  kind: 'Status',
  status: 'Failure',
  code: 410,
  reason: 'Expired',
  message: 'too old resource version',
}

describe('an expired version', () => {
  test.each<[string, Answer | undefined]>([
    ['inside the stream', undefined],
    ['as a status', (_, response) => refuse(response, 410, 'Expired', 'too old resource version')],
  ])('%s: causes one new list and one new watch, and rows are compared', async (_, asStatus) => {
    const objects = [map('a', '1', 1), map('b', '1', 2)]
    const { reflector, watch, lists, api, normal } = await reflected(objects)
    const { lease, changes, states } = listening(reflector)
    await lease.ready()
    const { response } = await watch(1)
    objects.splice(0, 2, map('a', '2', 105), map('c', '1', 106))
    changes.length = 0
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
    expect(changes).toEqual(['changed a=2', 'added c=1', 'removed b=1'])
    await expect.poll(() => lease.freshness().state).toBe('live')
    expect(states.map(({ state }) => state)).toEqual(['live', 'stale', 'live'])
  })

  test('never causes a storm, however often it occurs', async () => {
    const { reflector, lists, api, normal } = await reflected([], { rest: 0.1 })
    api.answer((seen, response) =>
      seen.query.get('watch') === 'true'
        ? void response.writeHead(200).end(line('ERROR', goneStatus))
        : normal(seen, response),
    )
    const lease = reflector.need()
    await lease.ready()
    await expect.poll(() => lists().length).toBeGreaterThan(1)
    await settle(1000)
    // pauses of 0.1, 0.2, 0.4 and 0.8 s, each at least half as long
    expect(lists().length).toBeLessThanOrEqual(6)
  })

  test('in the middle of a list restarts the list', async () => {
    const objects = Array.from({ length: 600 }, (_, i) => map(`m${i}`, 'a', i))
    const { reflector, lists, api, normal } = await reflected(objects)
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

  test('of a silent cluster that was restored from a backup causes a new list', async () => {
    const { reflector, watch, lists } = await reflected([map('a', '1', 1)], { watch: 1, rest: 0 })
    let now = performance.now()
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    onTestFinished(() => void vi.restoreAllMocks())
    const { lease } = listening(reflector)
    const { response } = await watch(1)
    await lease.ready()
    // a watch that ends early says nothing about the version
    response.end()
    const second = await watch(2)
    expect(lists()).toHaveLength(1)
    now += 1000
    second.response.end()
    await expect.poll(() => lists().length).toBe(2)
    await watch(3)
    expect(lease.freshness().state).toBe('live')
  })
})

describe('a watch that dies', () => {
  test('silently is noticed by its missing bookmarks', async () => {
    const { reflector, watch, lists } = await reflected([map('a', '1', 1)], { quiet: 100 })
    const { lease, states } = listening(reflector)
    await lease.ready()
    ;(await watch(1)).response.write(bookmark(130))
    expect((await watch(2)).from).toBe('130')
    expect(lists()).toHaveLength(1)
    await expect.poll(() => states.map(({ state, error }) => error?.kind ?? state)).toEqual(['live', 'timeout', 'live'])
  })

  test('is reopened at its position when another call to the cluster fails', async () => {
    const { reflector, watch, lists } = await reflected([map('a', '1', 1)])
    const { lease, states } = listening(reflector)
    const { response } = await watch(1)
    response.write(line('MODIFIED', map('a', '2', 139)) + bookmark(140))
    await expect.poll(() => values(lease)).toEqual({ a: '2' })
    reflector.doubt(new KubeError('credentials', 'cluster:6443', 'revoked'))
    expect((await watch(2)).from).toBe('140')
    await expect.poll(() => lease.freshness().state).toBe('live')
    expect(states.map(({ state, error }) => error?.kind ?? state)).toEqual(['live', 'credentials', 'live'])
    expect(lists()).toHaveLength(1)
    expect(values(lease)).toEqual({ a: '2' })
  })

  test('in the middle of an event continues after the last whole one', async () => {
    const { reflector, watch } = await reflected([])
    const { lease } = listening(reflector)
    await lease.ready()
    ;(await watch(1)).response.end(line('ADDED', map('a', '1', 110)) + '{"type":"MODIFIED","obj')
    const second = await watch(2)
    expect(second.from).toBe('110')
    second.response.write(line('MODIFIED', map('a', '2', 111)))
    await expect.poll(() => values(lease)).toEqual({ a: '2' })
  })

  test('because the network fails keeps its rows, says since when, and recovers', async () => {
    const { reflector, watch, api, watches } = await reflected([map('a', '1', 1)])
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
    await expect.poll(() => lease.freshness().state).toBe('live')
  })

  test('with an unknown event, or with an error, is reopened', async () => {
    const { reflector, watch, lists } = await reflected([])
    const { lease } = listening(reflector)
    await lease.ready()
    ;(await watch(1)).response.write(line('SURPRISE', map('a', '1', 5)))
    ;(await watch(2)).response.write(line('ERROR', { kind: 'Status', code: 500, message: 'etcd' }))
    await watch(3)
    expect(lists()).toHaveLength(1)
  })
})

describe('a cluster that refuses', () => {
  test('from the beginning reports the reason to waiters at once, and recovers', async () => {
    const { reflector, api, normal } = await reflected([map('a', '1', 1)])
    api.answer((_, response) => refuse(response, 401, 'Unauthorized'))
    const lease = reflector.need()
    expect(await lease.ready()).toMatchObject({ state: 'loading', error: { kind: 'credentials' } })
    expect(lease.all()).toEqual([])
    api.answer(normal)
    await expect.poll(() => lease.freshness().state).toBe('live')
  })

  test('is retried as soon as it is known to be back', async () => {
    const { reflector, api, normal } = await reflected([], { rest: 1000 })
    api.answer((_, response) => refuse(response, 500, 'InternalError'))
    const lease = reflector.need()
    await lease.ready()
    api.answer(normal)
    reflector.wake()
    await expect.poll(() => lease.freshness().state).toBe('live')
  })

  test('to answer in Kubernetes’ format is retried later', async () => {
    const { reflector, api, normal } = await reflected([map('a', '1', 1)])
    api.answer((_, response) => reply(response, { metadata: { resourceVersion: '1' }, items: 5 }))
    const lease = reflector.need()
    expect(await lease.ready()).toMatchObject({ state: 'loading', error: { kind: 'protocol' } })
    api.answer(normal)
    await expect.poll(() => lease.size()).toBe(1)
  })

  test('large pages gets smaller requests', async () => {
    const objects = Array.from({ length: 150 }, (_, i) => map(`m${i}`, 'a', i))
    const { reflector, lists, api, normal } = await reflected(objects)
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
