import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { openApp, refusal, sent, server, settle, signedIn, useConsole } from '../../../../test/app.tsx'
import { routes } from '../routes.tsx'

const followers = vi.hoisted(() => new Map<string, Set<() => void>>())
vi.mock('../../../api/push.ts', () => ({
  createPush: () => ({
    open: () => undefined,
    close: () => undefined,
    subscribe: (topic: string, hear: () => void) => {
      const all = followers.get(topic) ?? new Set()
      followers.set(topic, all.add(hear))
      return () => all.delete(hear)
    },
  }),
}))
useConsole()
beforeEach(() => followers.clear())

const uuid = '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e11'
const cluster = `/resource-manager/api/environments/${uuid}`
const address = `/teams/1/resourcemanager/cluster/environments-detail/${uuid}?tab=pods&sort=-cpu&status=Running`
const requests = () => sent.filter(({ path }) => path.startsWith(cluster)).map(({ path, query }) => `${path}?${query}`)
const both = [`${cluster}/pods?status=Running&requestPage=1&pageSize=50&sort=-cpu`, `${cluster}?`]

const none = {
  items: [],
  requestPage: 1,
  pageSize: 50,
  totalSize: 0,
  statuses: [],
  age: { staleSince: null, message: '' },
}

/** Opens the screen while its code is still loading; `come` lets the code arrive. */
function opening(podsAnswer: unknown = none) {
  signedIn()
  server({ [`GET ${cluster}`]: () => new Promise(() => undefined), [`GET ${cluster}/pods`]: podsAnswer })
  const code = Promise.withResolvers<void>()
  const open = openApp(
    address,
    routes.map((route) => ({ ...route, page: () => code.promise.then(route.page) })),
  )
  return { come: code.resolve, open }
}

test('a cluster and its pods are requested in parallel with the code of the screen, once, and the pods do not wait for the cluster', async () => {
  const { come, open } = opening()
  await waitFor(() => expect(requests().toSorted()).toEqual(both))
  come()
  await open
  await screen.findByText('Nothing matches')
  expect(requests().toSorted()).toEqual(both)
  fireEvent.click(screen.getByRole('tab', { name: 'Ingress' }))
  await waitFor(() => expect(screen.queryByText('Nothing matches')).toBeNull())
  expect(requests().toSorted()).toEqual(both)
})

test('a change before the screen renders repeats the read, and nothing else', async () => {
  const { come, open } = opening()
  await waitFor(() => expect(requests().toSorted()).toEqual(both))
  await settle()
  for (const hear of followers.get(`pods/${uuid}/1`) ?? []) hear()
  come()
  await open
  await screen.findByText('Nothing matches')
  await waitFor(() => expect(requests().toSorted()).toEqual([both[0], ...both]))
})

test('a change during a read repeats it, even if the screen shows the answer by then', async () => {
  const answer = Promise.withResolvers<typeof none>()
  const { come, open } = opening(() => answer.promise)
  await waitFor(() => expect(requests().toSorted()).toEqual(both))
  for (const hear of followers.get(`pods/${uuid}/1`) ?? []) hear()
  come()
  await open
  await screen.findByRole('tab', { name: 'Pods', selected: true })
  answer.resolve(none)
  await waitFor(() => expect(requests().toSorted()).toEqual([both[0], ...both]))
})

test('an unknown cluster has no tabs, and a message', async () => {
  signedIn()
  server({ [`GET ${cluster}`]: () => refusal(404, 'resource-missing', 'This cluster does not exist') })
  await openApp(address, routes)
  await screen.findByText('This cluster does not exist')
  await waitFor(() => expect(screen.queryAllByRole('tab')).toEqual([]))
})
