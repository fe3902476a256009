import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { Pod } from '@gantry/contract/clusters/pods'
import { openPage, press, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { PodsTab } from './pods-tab.tsx'

const push = vi.hoisted(() => ({ topics: [] as string[], hear: [] as ((message: object) => void)[] }))
vi.mock('../../../api/push.ts', () => ({
  createPush: () => ({
    subscribe: (topic: string, hear: (message: object) => void) => {
      push.topics.push(topic)
      push.hear.push(hear)
      return () => undefined
    },
  }),
}))
useConsole()

const uuid = '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e11'
const path = `/resource-manager/api/environments/${uuid}/pods`

/** An empty value for each column, because no test here needs one. */
const blank = Object.fromEntries(
  Object.entries(Pod.shape).map(([key, { type }]) => [key, type === 'string' ? '' : type === 'number' ? 0 : null]),
)

const pod = (name: string, more: Partial<Pod> = {}) => ({
  ...blank,
  uid: `uid-${name}`,
  name,
  namespace: 'shop-web',
  host: 'n1',
  ip: '10.0.0.1',
  status: 'Running',
  ready: 1,
  containers: 1,
  container: 'web',
  restarts: 0,
  cpu: 0.1,
  memory: 0.5,
  stack: null,
  createdAt: '2026-01-01T00:00:00Z',
  ...more,
})
const ofStack = {
  stack: { id: 3, uuid, name: 'shop', teamId: 2, service: { id: 9, name: 'web' } },
}
const answer = (items: Partial<Pod>[], age = { staleSince: null as string | null, message: '' }) => ({
  items,
  requestPage: 1,
  pageSize: 50,
  totalSize: items.length,
  statuses: [{ status: 'Running', count: items.length }],
  age,
})
const requests = () => sent.filter((call) => call.path === path)
const tell = (content: object) => act(() => push.hear.at(-1)?.({ topic: push.topics.at(-1) ?? '', seq: '', content }))
const row = async (name: string) => within((await screen.findByText(name)).closest('tr') as HTMLElement)

beforeEach(() => {
  push.topics.length = 0
  push.hear.length = 0
})

test('a changed pod is updated without a read; new ones cause one read for all', async () => {
  signedIn({ admin: true })
  server({ [`GET ${path}`]: () => answer([pod('a'), pod('b')]) })
  await openPage(() => <PodsTab env={uuid} />)
  await screen.findByText('a')
  expect(push.topics.at(-1)).toBe(`pods/${uuid}/all`)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  tell({ pod: pod('b', { status: 'CrashLoopBackOff', ready: 0, restarts: 4 }) })
  act(() => void vi.advanceTimersByTime(5000))
  vi.useRealTimers()
  await screen.findByText('CrashLoopBackOff')
  expect((await row('b')).getByText('0/1')).toBeTruthy()
  expect(requests()).toHaveLength(1)

  server({ [`GET ${path}`]: () => answer([pod('a'), pod('c')]) })
  tell({ gone: 'uid-b' })
  tell({ pod: pod('c') })
  tell({ many: 40 })
  await screen.findByText('c')
  expect(screen.queryByText('b')).toBeNull()
  expect(requests()).toHaveLength(2)
})

test('the log of a stack’s pod is one click away, and others have none; the events of a pod are one click away, too', async () => {
  signedIn()
  server({ [`GET ${path}`]: answer([pod('web-1', ofStack), pod('coredns')]) })
  await openPage(() => <PodsTab env={uuid} />)
  const link = (await row('web-1')).getByRole('link', { name: 'web-1' })
  expect(link.getAttribute('href')).toContain('/teams/2/appcenter/env/')
  expect(link.getAttribute('href')).toContain('tab=log&pod=web-1%2Fweb')
  const other = (await row('coredns')).getByRole('link')
  expect(other.textContent).toBe('Running Events of coredns')
  expect(other.getAttribute('href')).toContain('tab=events&keyword=coredns&namespace=shop-web')
  expect(push.topics.at(-1)).toBe(`pods/${uuid}/1`)
})

test('a value of a row filters the list, in the address, and can be removed', async () => {
  signedIn({ admin: true })
  server({ [`GET ${path}`]: answer([pod('a')]) })
  const { at } = await openPage(() => <PodsTab env={uuid} />)
  await screen.findByText('a')
  press('shop-web')
  await waitFor(() => expect(requests().at(-1)?.query.get('namespace')).toBe('shop-web'))
  expect(at()).toContain('namespace=shop-web')
  press(/Remove the filter Namespace/)
  await waitFor(() => expect(at()).not.toContain('namespace'))
  press('Restarts')
  await waitFor(() => expect(requests().at(-1)?.query.get('sort')).toBe('restarts'))
})

test('outdated rows stay, with since when and why', async () => {
  signedIn({ admin: true })
  const age = { staleSince: new Date(Date.now() - 3 * 60_000).toISOString(), message: 'The connection is refused.' }
  server({ [`GET ${path}`]: answer([pod('a')], age) })
  await openPage(() => <PodsTab env={uuid} />)
  const note = await screen.findByRole('status')
  expect(note.textContent).toContain('The connection is refused.')
  expect(note.textContent).toMatch(/3 min/)
  expect(screen.getByText('a')).toBeTruthy()
})

test('a cluster that has not been read is not reported as empty', async () => {
  signedIn({ admin: true })
  const age = { staleSince: new Date().toISOString(), message: 'The connection is refused.' }
  server({ [`GET ${path}`]: answer([], age) })
  await openPage(() => <PodsTab env={uuid} />)
  expect((await screen.findByRole('status')).textContent).toBe(
    'The cluster is not responding. The connection is refused.',
  )
  screen.getByRole('heading', { name: 'Not known yet' })
})
