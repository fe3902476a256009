import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Cluster } from '@gantry/contract/clusters/clusters'
import { openPage, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { EventsTab } from './events-tab.tsx'
import { HostEvents } from '../hosts/host-events.tsx'
import { StorageTab } from '../storage/storage-tab.tsx'

const push = vi.hoisted(() => ({ hear: new Map<string, ((message: object) => void)[]>() }))
vi.mock('../../../api/push.ts', () => ({
  createPush: () => ({
    subscribe: (topic: string, hear: (message: object) => void) => {
      push.hear.set(topic, [...(push.hear.get(topic) ?? []), hear])
      return () => undefined
    },
  }),
}))
useConsole()

/** Lists that are read again when the cluster reports a change of their rows, and only then. */

const uuid = '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e11'
const cluster = { uuid, name: 'east' } as Partial<Cluster> as Cluster
const page = (items: object[]) => ({
  items,
  requestPage: 1,
  pageSize: 20,
  totalSize: items.length,
  age: { staleSince: null, message: '' },
})
const event = (reason: string) => ({
  uid: reason,
  type: 'Warning',
  reason,
  message: 'It happened',
  namespace: 'shop',
  kind: 'Pod',
  name: 'web-1',
  count: 1,
  first: '2026-01-01T00:00:00Z',
  last: '2026-01-01T00:00:00Z',
  source: 'kubelet',
})
const volume = {
  name: 'archive',
  capacity: 50,
  accessModes: ['ReadWriteOnce'],
  reclaimPolicy: 'Retain',
  state: 'Bound',
  driver: 'manual',
  source: 'nfs 10.0.0.1:/x',
  claim: { namespace: 'shop', name: 'data', pods: [] },
  message: '',
  heldBy: null,
  createdAt: '2026-01-01T00:00:00Z',
}
const requests = (path: string) => sent.filter((call) => call.path === path).length

beforeEach(() => push.hear.clear())

/** How often the list is read after the topic publishes these at once. */
async function readsAfter(path: string, topic: string, ...contents: object[]): Promise<number> {
  const before = requests(path)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  act(() => contents.forEach((content) => push.hear.get(topic)?.forEach((hear) => hear({ topic, seq: '', content }))))
  act(() => void vi.advanceTimersByTime(1000))
  vi.useRealTimers()
  await act(() => new Promise<void>((resolve) => setTimeout(resolve, 0)))
  return requests(path) - before
}

describe('events', () => {
  const path = `/resource-manager/api/environments/${uuid}/events`
  const eventOf = (type: string, namespace: string, kind: string) => ({ event: { type, namespace, kind } })

  test('are read once for all simultaneous changes, and shown', async () => {
    signedIn()
    let now = [event('Started')]
    server({ [`GET ${path}`]: () => page(now) })
    await openPage(() => <EventsTab env={uuid} />)
    await screen.findByText('Started')
    const topic = `events/${uuid}/1`
    now = [event('Killed'), event('Started')]
    expect(
      await readsAfter(path, topic, eventOf('Normal', 'a', 'Pod'), eventOf('Warning', 'b', 'Job'), { many: 40 }),
    ).toBe(1)
    await screen.findByText('Killed')
  })

  test('of all clusters are read for administrators; with filters only for events that the list shows', async () => {
    signedIn({ admin: true })
    server({ [`GET ${path}`]: page([event('Started')]) })
    await openPage(() => <EventsTab env={uuid} />, '/login-free?type=Warning&namespace=shop')
    await screen.findByText('Started')
    const topic = `events/${uuid}/all`
    expect(await readsAfter(path, topic, eventOf('Normal', 'shop', 'Pod'), eventOf('Warning', 'other', 'Pod'))).toBe(0)
    expect(await readsAfter(path, topic, eventOf('Warning', 'shop', 'Job'))).toBe(1)
    expect(await readsAfter(path, topic, { many: 0 })).toBe(1)
  })

  test('of a host are read when it has new ones, not when another host has', async () => {
    signedIn()
    const of = `/resource-manager/api/hosts/environments/${uuid}/n1/events`
    server({ [`GET ${of}`]: page([event('NodeReady')]) })
    await openPage(() => <HostEvents env={uuid} name="n1" />)
    await screen.findByText('NodeReady')
    expect(await readsAfter(of, `host-events/${uuid}`, { host: 'n2' })).toBe(0)
    expect(await readsAfter(of, `host-events/${uuid}`, { host: 'n1' })).toBe(1)
  })
})

test('volumes are read when one changes, and when a pod starts or stops using a shown claim', async () => {
  signedIn()
  const path = `/resource-manager/api/storage/environments/${uuid}/persistent-volumes`
  server({
    [`GET ${path}`]: page([volume]),
    [`GET /resource-manager/api/storage/environments/${uuid}/drivers`]: [],
  })
  await openPage(() => <StorageTab cluster={cluster} />)
  await screen.findByText('archive')
  await waitFor(() => expect(push.hear.has(`volumes/${uuid}/1`)).toBe(true))
  const topic = `volumes/${uuid}/1`
  expect(await readsAfter(path, topic, { claimsIn: 'elsewhere' })).toBe(0)
  expect(await readsAfter(path, topic, { claimsIn: 'shop' }, { claimsIn: 'shop' })).toBe(1)
  expect(await readsAfter(path, topic, { volume: 'new' })).toBe(1)
})
