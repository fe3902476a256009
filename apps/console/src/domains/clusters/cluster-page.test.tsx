import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openApp, refusal, sent, server, signedIn, useConsole } from '../../../test/app.tsx'
import { routes } from './routes.tsx'

useConsole()

const uuid = '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e11'
const cluster = `/resource-manager/api/environments/${uuid}`
const address = `/teams/1/resourcemanager/cluster/environments-detail/${uuid}?tab=pods&sort=-cpu&status=Running`
const asked = () => sent.filter(({ path }) => path.startsWith(cluster)).map(({ path, query }) => `${path}?${query}`)
const both = [`${cluster}/pods?status=Running&requestPage=1&pageSize=50&sort=-cpu`, `${cluster}?`]

test('a cluster and its pods are asked for beside the code of the screen, once, and the pods do not wait for the cluster', async () => {
  signedIn()
  server({
    [`GET ${cluster}`]: () => new Promise(() => undefined),
    [`GET ${cluster}/pods`]: {
      items: [],
      requestPage: 1,
      pageSize: 50,
      totalSize: 0,
      statuses: [],
      age: { staleSince: null, message: '' },
    },
  })
  let come: () => void = () => undefined
  const late = new Promise<void>((done) => (come = done))
  const opening = openApp(
    address,
    routes.map((route) => ({ ...route, page: () => late.then(route.page) })),
  )
  await waitFor(() => expect(asked().toSorted()).toEqual(both))
  come()
  await opening
  await screen.findByText('Nothing matches')
  expect(asked().toSorted()).toEqual(both)
})

test('what is no cluster has no tabs, and says so', async () => {
  signedIn()
  server({ [`GET ${cluster}`]: () => refusal(404, 'resource-missing', 'This cluster does not exist') })
  await openApp(address, routes)
  await screen.findByText('This cluster does not exist')
  await waitFor(() => expect(screen.queryAllByRole('tab')).toEqual([]))
})
