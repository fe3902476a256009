import { expect, test } from 'vitest'
import { Fault } from '../../kernel/fault.ts'
import type { Outbound, OutboundRequest } from '../outbound/outbound.ts'
import { createHarbor } from './harbor.ts'

const access = { url: 'https://harbor.example.test', username: 'admin', password: 'canary-of-harbor' }

/** A Harbor whose answers the test decides. */
function harborOf(answer: (request: OutboundRequest) => { status?: number; headers?: object; body: unknown }) {
  const requests: OutboundRequest[] = []
  const requestText: Outbound['requestText'] = async (request) => {
    requests.push(request)
    const { status = 200, headers = {}, body } = answer(request)
    return { status, headers: { ...headers }, text: typeof body === 'string' ? body : JSON.stringify(body) }
  }
  return { harbor: createHarbor({ requestText }, { pauses: [1, 1] }), requests }
}

const repository = (at: number) => ({ name: `shop/r${at}`, artifact_count: 1 })
/** A Harbor with this many repositories, which it returns in pages. */
const many = (total: number) =>
  harborOf(({ url }) => {
    const query = new URL(url).searchParams
    const size = Number(query.get('page_size'))
    const begin = (Number(query.get('page')) - 1) * size
    const all = Array.from({ length: total }, (_, at) => repository(at))
    return { headers: { 'x-total-count': String(total) }, body: all.slice(begin, begin + size) }
  })

test.each([
  { offset: 0, limit: 10, total: 35, calls: 1 },
  { offset: 30, limit: 10, total: 35, calls: 1 },
  { offset: 0, limit: 1000, total: 250, calls: 3 },
  { offset: 150, limit: 150, total: 400, calls: 2 },
  { offset: 40, limit: 10, total: 35, calls: 1 },
])('$limit rows from $offset of $total take $calls calls', async ({ offset, limit, total, calls }) => {
  const { harbor, requests } = many(total)
  const found = await harbor.repositories(access, 'shop', { offset, limit, keyword: '' })
  const all = Array.from({ length: total }, (_, at) => `shop/r${at}`)
  expect(found.items.map(({ name }) => name)).toEqual(all.slice(offset, offset + limit))
  expect(found.total).toBe(total)
  expect(requests).toHaveLength(calls)
  expect(requests.every(({ url }) => Number(new URL(url).searchParams.get('page_size')) <= 100)).toBe(true)
})

test('a keyword with syntax of Harbor’s query language finds nothing, and is not sent', async () => {
  const { harbor, requests } = many(3)
  for (const keyword of ['a,public=true', '100%', 'a=b', 'a b', '~a'])
    expect(await harbor.repositories(access, 'shop', { offset: 0, limit: 10, keyword })).toEqual({
      items: [],
      total: 0,
    })
  expect(requests).toEqual([])
})

test('reads end within 5 s, and a Harbor that keeps failing is not asked for a while', async () => {
  let now = 0
  const requests: OutboundRequest[] = []
  const requestText: Outbound['requestText'] = (request) => {
    requests.push(request)
    now += request.timeout ?? 0
    return Promise.reject(new Fault('unavailable', 'outbound-timeout', { host: 'harbor.example.test', seconds: 5 }))
  }
  const harbor = createHarbor({ requestText }, { now: () => now })
  const read = () => harbor.project(access, 1)
  for (let tries = 0; tries < 3; tries++) await expect(read()).rejects.toMatchObject({ key: 'outbound-timeout' })
  await expect(read()).rejects.toMatchObject({ key: 'harbor-resting' })
  expect(requests.map(({ timeout }) => timeout)).toEqual([5000, 5000, 5000])
})

test('a read is tried three times, and then reports the last answer; a write is tried once', async () => {
  const { harbor, requests } = harborOf(() => ({ status: 502, body: 'bad gateway' }))
  const host = 'harbor.example.test'
  await expect(harbor.project(access, 1)).rejects.toMatchObject({
    key: 'retry-exceeded',
    vars: { host, tries: 3 },
    cause: { key: 'harbor-error', vars: { host, status: 502 } },
  })
  expect(requests).toHaveLength(3)
  await expect(harbor.removeProject(access, 1)).rejects.toMatchObject({ key: 'harbor-error' })
  expect(requests).toHaveLength(4)
})

test('a read succeeds after transient failures', async () => {
  let answers = 0
  const { harbor } = harborOf(() =>
    answers++ < 2 ? { status: 503, body: '' } : { body: { project_id: 1, name: 'shop' } },
  )
  expect(await harbor.project(access, 1)).toMatchObject({ name: 'shop' })
})

test('a refusal is reported in Harbor’s words, but never with the password', async () => {
  const message = `no: ${access.password}`
  const { harbor } = harborOf(() => ({ status: 400, body: { errors: [{ code: 'BAD_REQUEST', message }] } }))
  const refused = await harbor.project(access, 1).catch((error: unknown) => error)
  expect(refused).toMatchObject({ key: 'harbor-refused', vars: { reason: expect.stringContaining('no:') as string } })
  expect(JSON.stringify(refused)).not.toContain(access.password)
})

test('an answer that is not Harbor’s is refused by name', async () => {
  for (const body of ['<html>', '[]', '{"project_id":"1","name":"x"}']) {
    const { harbor } = harborOf(() => ({ body }))
    await expect(harbor.project(access, 1)).rejects.toMatchObject({ key: 'outbound-not-json' })
  }
})
