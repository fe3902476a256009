import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { hosts } from '@gantry/contract/clusters/hosts'
import { quotas } from '@gantry/contract/quotas/quotas'
import { services } from '@gantry/contract/stacks/services'
import { products } from '@gantry/contract/products/products'
import { ada, openPage, refusal, sent, server, signedIn, useConsole } from '../../test/app.tsx'
import { useRead, useWrite } from './hooks.ts'
import { freshMs } from './queries.ts'
import { showing } from './notices.ts'
import { keepSession } from './session.ts'

useConsole()
afterEach(() => vi.restoreAllMocks())

const uuid = '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e11'
const path = '/resource-manager/api/hosts/environments'
const list = (envName: string) => ({
  items: [],
  requestPage: 1,
  pageSize: 20,
  totalSize: 0,
  stale: [{ envUuid: '', envName, since: null, message: '' }],
})

function Sample() {
  const { data } = useRead(hosts.list, {}, { keep: false, staleMs: 60_000 })
  return <p>{data?.stale[0]?.envName}</p>
}

test('data of one team is not shown to another, but read again', async () => {
  keepSession(ada, 1)
  server({ [`GET ${path}`]: list('of the first') })
  const first = await openPage(Sample)
  await screen.findByText('of the first')
  first.unmount()

  server({ [`GET ${path}`]: list('of the second') })
  act(() => void keepSession(ada, 2))
  await openPage(Sample)
  expect(screen.queryByText('of the first')).toBeNull()
  await screen.findByText('of the second')
  expect(sent.filter((call) => call.path === path)).toHaveLength(2)
})

function Refused() {
  const { error } = useRead(hosts.list)
  return <p>{error?.message}</p>
}

test('a refused read is not repeated by components that mount at once, but by later ones', async () => {
  signedIn()
  server({ [`GET ${path}`]: () => refusal(403, 'request-forbidden', 'Not for you') })
  const requests = () => sent.filter((call) => call.path === path)
  const first = await openPage(Refused)
  await screen.findByText('Not for you')
  first.unmount()
  const second = await openPage(Refused)
  await screen.findByText('Not for you')
  second.unmount()
  expect(requests()).toHaveLength(1)

  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + freshMs + 1)
  await openPage(Refused)
  await waitFor(() => expect(requests()).toHaveLength(2))
})

function Scaled() {
  const { data } = useRead(services.brief, { params: { teamId: 1, envId: uuid, id: 9 } }, { staleMs: 60_000 })
  useRead(quotas.all, {}, { staleMs: 60_000 })
  const scale = useWrite(services.scale, { quiet: true })
  const input = { params: { teamId: 1, envId: uuid, id: 9 }, query: { replicas: 2 } }
  return <button onClick={() => scale.mutate(input)}>{data?.name}</button>
}

test('a write invalidates the reads of its topics, and no others', async () => {
  signedIn()
  const service = `/orchestration/api/1/env/${uuid}/service/9`
  const quotasPath = '/resource-manager/api/quotas/tenants'
  server({
    [`GET ${service}/brief`]: { name: 'web' },
    [`GET ${quotasPath}`]: { items: [], requestPage: 1, pageSize: 20, totalSize: 0 },
    [`POST ${service}`]: { name: 'web' },
  })
  await openPage(Scaled)
  fireEvent.click(await screen.findByText('web'))
  await waitFor(() => expect(sent.filter(({ path }) => path === `${service}/brief`)).toHaveLength(2))
  expect(sent.filter(({ path }) => path === quotasPath)).toHaveLength(1)
})

function Removed() {
  const remove = useWrite(products.remove, { done: 'delete-success' })
  const create = useWrite(products.create, { done: 'create-success' })
  return (
    <>
      <button onClick={() => remove.mutate({ named: 'shop', params: { team: 1, id: 9 }, query: { confirm: 'shop' } })}>
        remove
      </button>
      <button onClick={() => create.mutate({ params: { team: 1 }, body: { name: 'web' } })}>create</button>
    </>
  )
}

test('a toast names the object with its noun; the name comes from the caller or the body', async () => {
  signedIn()
  server({ [`DELETE ${products.remove.path.replace(':team', '1').replace(':id', '9')}`]: null })
  server({ [`POST ${products.create.path.replace(':team', '1')}`]: {} })
  await openPage(Removed)
  fireEvent.click(screen.getByText('remove'))
  await waitFor(() => expect(showing.get().map(({ text }) => text)).toEqual(['Product shop deleted']))
  fireEvent.click(screen.getByText('create'))
  await waitFor(() => expect(showing.get().at(-1)?.text).toBe('Product web created'))
  // the name is for the console only
  expect(sent.every(({ query, body }) => !query.has('named') && !JSON.stringify(body ?? {}).includes('named'))).toBe(
    true,
  )
})

function Deleted() {
  useRead(products.list, { params: { team: 1 } })
  const { data } = useRead(products.get, { params: { team: 1, id: 9 } })
  useRead(products.get, { params: { team: 1, id: 90 } })
  return (
    <>
      <p>{data?.name}</p>
      <Removed />
    </>
  )
}

test('a deletion makes its list read again, but no read of the deleted object', async () => {
  signedIn()
  const all = products.list.path.replace(':team', '1')
  const product = { id: 9, name: 'shop' }
  server({
    [`GET ${all}`]: { items: [], requestPage: 1, pageSize: 20, totalSize: 0 },
    [`GET ${all}/9`]: product,
    [`GET ${all}/90`]: { ...product, id: 90 },
    [`DELETE ${all}/9`]: null,
  })
  await openPage(Deleted)
  await screen.findByText('shop')
  fireEvent.click(screen.getByText('remove'))
  const reads = (path: string) => sent.filter((call) => call.method === 'GET' && call.path === path).length
  await waitFor(() => expect([reads(all), reads(`${all}/90`)]).toEqual([2, 2]))
  expect(reads(`${all}/9`)).toBe(1)
})

test('retries an overloaded server after the requested delay, without an error meanwhile', async () => {
  signedIn()
  let times = 0
  server({
    [`GET ${path}`]: () => {
      times += 1
      if (times > 1) return list('of the second try')
      const answer = refusal(503, 'server-busy', 'The server is busy')
      answer.headers.set('retry-after', '0')
      return answer
    },
  })
  await openPage(Sample)
  await screen.findByText('of the second try')
  expect(showing.get()).toEqual([])
})

test('does not wait if the requested delay is too long', async () => {
  signedIn()
  server({
    [`GET ${path}`]: () => {
      const answer = refusal(429, 'rate-limited', 'Too many requests')
      answer.headers.set('retry-after', '60')
      return answer
    },
  })
  await openPage(() => {
    const { error } = useRead(hosts.list, {}, { keep: false })
    return <p>{error?.message}</p>
  })
  await screen.findByText('Too many requests')
})
