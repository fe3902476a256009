import { afterAll, describe, expect, test } from 'vitest'
import { admitLocal, fakeApi, refuse } from '../../../../test/kube-api.ts'
import { watchedApi } from '../../../../test/watched-api.ts'
import { openKube } from '../transport/pool.ts'
import type { Health } from '../transport/transport.ts'

const reports: [string, Health['state'], Health['kind']][] = []
const kube = openKube({ admit: admitLocal, timing: { rest: 0.05 } })
kube.onHealth((environment, { state, kind }) => reports.push([environment, state, kind]))
const open: (() => Promise<unknown>)[] = [() => kube.close()]
afterAll(async () => {
  for (const close of open) await close()
})
const of = (clusterId: string) => reports.filter(([name]) => name === clusterId).map(([, state, kind]) => kind ?? state)

const pods = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ metadata: { name: `p${n}`, namespace: 'n' }, spec: { containers: [] } }))

describe('a hundred clusters at once', () => {
  test('a dead one and one that never answers do not affect the others', async () => {
    const well = await Promise.all(Array.from({ length: 98 }, () => watchedApi({ pods: pods(20) })))
    const slow = await fakeApi(() => undefined)
    const dead = await fakeApi(() => undefined)
    await dead[Symbol.asyncDispose]()
    open.push(...well.map((api) => api[Symbol.asyncDispose]), slow[Symbol.asyncDispose])

    const bad = { slow: kube.cluster('slow', slow.address), dead: kube.cluster('dead', dead.address) }
    const waiting = bad.slow.need('pods')
    const refused = bad.dead.need('pods')
    const leases = well.map(({ address }, n) => kube.cluster(`well-${n}`, address).need('pods'))
    const states = await Promise.all(leases.map((lease) => lease.ready(20_000)))
    expect(states.map(({ state }) => state)).toEqual(leases.map(() => 'live'))
    expect(leases.map((lease) => lease.size())).toEqual(leases.map(() => 20))
    // all of that happened before the slow one's first answer is due
    expect(waiting.freshness()).toMatchObject({ state: 'loading' })
    expect(waiting.freshness().error).toBeUndefined()
    expect(refused.freshness()).toMatchObject({ error: { kind: 'refused' } })

    expect(of('dead')).toEqual(['refused'])
    expect(reports.filter(([, state]) => state === 'down').map(([name]) => name)).toEqual(['dead'])
    // a change still arrives at once
    const received = new Promise<string>((resolve) => leases[97]?.on(({ row }) => resolve(row.name)))
    await expect.poll(() => well[97]?.watching('pods')).toBe(1)
    well[97]?.put('pods', { metadata: { name: 'new', namespace: 'n' }, spec: { containers: [] } })
    expect(await received).toBe('new')
  })
})

describe('a cluster whose trouble an open watch does not show', () => {
  test('reports revoked credentials that a call meets once, and makes all rows stale until they are replaced', async () => {
    const api = await watchedApi({ pods: pods(3), nodes: [] })
    open.push(api[Symbol.asyncDispose])
    const cluster = kube.cluster('revoked', api.address)
    const [lease, nodes] = [cluster.need('pods'), cluster.need('nodes')]
    await Promise.all([lease.ready(), nodes.ready()])
    await expect.poll(() => api.watching('pods') + api.watching('nodes')).toBe(2)

    const { answer } = api
    const before = api.seen.length
    answer((_seen, response) => refuse(response, 401, 'Unauthorized'))
    await expect(cluster.kube.version()).rejects.toMatchObject({ kind: 'credentials' })
    await expect
      .poll(() => [lease, nodes].map((one) => one.freshness().error?.kind))
      .toEqual(['credentials', 'credentials'])
    expect(lease.size()).toBe(3)
    await expect.poll(() => api.seen.length - before).toBeGreaterThan(4)
    expect(of('revoked')).toEqual(['up', 'credentials'])

    answer(api.normal)
    kube.cluster('revoked', { ...api.address, auth: { kind: 'token', token: 'another' } })
    await expect.poll(() => [lease, nodes].map((one) => one.freshness().state)).toEqual(['live', 'live'])
  })

  test('is not asked for as long as it has requested', async () => {
    const api = await watchedApi({ pods: pods(1) })
    open.push(api[Symbol.asyncDispose])
    api.answer((_seen, response) => refuse(response, 429, 'TooManyRequests', 'slow down', { 'retry-after': '3' }))
    const cluster = kube.cluster('throttled', api.address)
    const lease = cluster.need('pods')
    expect(await lease.ready()).toMatchObject({ error: { kind: 'throttled', retryAfter: 3 } })
    const before = api.seen.length
    await expect(cluster.kube.version({ budget: 1000 })).rejects.toMatchObject({ kind: 'throttled', resting: true })
    expect(api.seen.length).toBe(before)
    api.answer(api.normal)
    await expect.poll(() => lease.freshness().state).toBe('live')
  })
})
