import { traces } from '@gantry/contract/tracing/traces'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { jaegerTrace, simulatedTracing } from '../../../../test/simulated-tracing.ts'
import { tracedCluster } from '../../../../test/traced-cluster.ts'

const { app, env, mine, theirs, connect } = await tracedCluster()
const jaeger = await simulatedTracing()
afterAll(() => jaeger.close())

const now = Date.now()
const [shop, bank] = [mine.namespace, theirs.namespace]
/** From the team's web through another team's service back to the team's; the ids tell whose is which. */
const shared = jaegerTrace('5a1ed', now - 60_000, [
  {
    id: 'a1',
    service: 'web',
    operation: 'GET /basket',
    namespace: shop,
    duration: 9000,
    process: { 'k8s.pod.name': 'web-1' },
  },
  {
    id: 'b1',
    parent: 'a1',
    service: 'ledger',
    operation: 'secret-operation',
    namespace: bank,
    at: 1000,
    duration: 7000,
    tags: { 'user.id': 'secret-user', error: true },
    process: { 'k8s.pod.name': 'secret-pod' },
    log: 'secret-event',
  },
  {
    id: 'a2',
    parent: 'b1',
    service: `web.${shop}`,
    operation: 'POST /paid',
    at: 2000,
    duration: 500,
    tags: { 'http.status_code': 500, error: true },
    log: 'refused',
  },
])
const foreign = jaegerTrace('f0e16', now - 30_000, [
  { id: 'c1', service: 'web', operation: 'secret-operation', namespace: bank },
])
const istio = jaegerTrace('15710', now - 10_000, [
  { id: 'd1', service: `web.${shop}`, operation: 'GET /', duration: 200_000, tags: { 'http.url': 'http://web/a b' } },
])

beforeEach(async () => {
  jaeger.traces = [shared, foreign, istio]
  jaeger.silent = false
  jaeger.instead = undefined
  jaeger.asked.length = 0
  await connect('jaeger', { url: jaeger.url })
})

type Who = typeof mine
const list = (query: object = {}, who: Who = mine) => who.team.leader.call(traces.list, { params: who.params, query })
const ids = async (query: object = {}, who: Who = mine) => (await list(query, who)).items.map(({ traceId }) => traceId)
const one = (traceId: string, who: Who = mine) =>
  who.team.leader.call(traces.get, { params: { ...who.params, traceId } })

test('a stack’s traces are listed newest first, found by the collector’s tag and by Istio’s name', async () => {
  const { items, unset, notice, truncated } = await list()
  expect({ unset, notice, truncated }).toEqual({ unset: false, notice: '', truncated: false })
  expect(items).toEqual([
    {
      traceId: '15710',
      startedAt: new Date(now - 10_000).toISOString(),
      duration: 200_000,
      root: { service: `web.${shop}`, operation: 'GET /' },
      services: [{ name: `web.${shop}`, spans: 1 }],
      spans: 1,
      hidden: 0,
      errors: 0,
    },
    {
      traceId: '5a1ed',
      startedAt: new Date(now - 60_000).toISOString(),
      duration: 9000,
      root: { service: 'web', operation: 'GET /basket' },
      services: [
        { name: 'web', spans: 1 },
        { name: `web.${shop}`, spans: 1 },
      ],
      spans: 3,
      hidden: 1,
      errors: 1,
    },
  ])
  const searches = jaeger.asked.filter(({ path }) => path === '/api/traces')
  for (const { query } of searches)
    if (!query.get('service')?.endsWith(`.${shop}`))
      expect(JSON.parse(query.get('tags') ?? '')).toEqual({ 'k8s.namespace.name': shop })
})

test.each([
  ['of a service', { service: 'web' }, ['5a1ed']],
  ['of another team’s service', { service: 'ledger' }, []],
  ['of an operation', { operation: 'POST /paid' }, ['5a1ed']],
  ['that failed', { status: 'error' }, ['5a1ed']],
  ['that took long', { minDuration: 100_000 }, ['15710']],
  ['that did not', { maxDuration: 9000 }, ['5a1ed']],
  ['with a tag', { tags: 'http.status_code=500' }, ['5a1ed']],
  ['with a tag that has spaces', { tags: 'http.url="http://web/a b"' }, ['15710']],
  ['that only others’ spans match', { tags: 'user.id=secret-user' }, []],
  ['with a tag of another namespace', { tags: 'k8s.namespace.name=other' }, []],
  ['of a time', { type: 'RANGE', start: now - 90_000, end: now - 50_000 }, ['5a1ed']],
  ['limited to one', { limit: 1 }, ['15710']],
] as const)('traces %s', async (_, query, found) => {
  expect(await ids(query)).toEqual(found)
})

test('invalid filters are refused at their field', async () => {
  for (const [query, path] of [
    [{ tags: 'no equals sign' }, 'tags'],
    [{ minDuration: 5, maxDuration: 4 }, 'maxDuration'],
    [{ limit: 101 }, 'limit'],
  ] as const)
    await expect(list(query)).rejects.toMatchObject({
      status: 400,
      problems: [{ path: expect.stringContaining(path) }],
    })
  await expect(list({ type: 'RANGE', start: now, end: now - 1 })).rejects.toMatchObject({ key: 'range-order' })
})

describe('ownership of spans', () => {
  test('a span of another team shows only its place in the tree and its duration', async () => {
    const { trace } = await one('5a1ed')
    expect(trace).toMatchObject({ traceId: '5a1ed', duration: 9000, truncated: false })
    const [own, hidden, back] = trace?.spans ?? []
    expect(own).toMatchObject({
      id: 'a1',
      parent: null,
      offset: 0,
      hidden: false,
      service: 'web',
      namespace: shop,
      pod: 'web-1',
      place: { id: mine.service, name: 'web', stackId: mine.stack.id, stackUuid: mine.stack.uuid, envId: env },
    })
    expect(hidden).toEqual({
      id: 'b1',
      parent: 'a1',
      offset: 1000,
      duration: 7000,
      hidden: true,
      service: '',
      operation: '',
      namespace: '',
      pod: '',
      error: false,
      tags: [],
      process: [],
      logs: [],
      place: null,
    })
    expect(back).toMatchObject({
      id: 'a2',
      parent: 'b1',
      error: true,
      logs: [{ offset: 2000, fields: [{ key: 'event', value: 'refused' }] }],
    })
    for (const answer of [trace, await list()]) expect(JSON.stringify(answer)).not.toMatch(/secret|ledger/)
  })

  test('the other team sees the reverse', async () => {
    const { trace } = await one('5a1ed', theirs)
    expect(trace?.spans.map(({ hidden }) => hidden)).toEqual([true, false, true])
    expect(JSON.stringify(trace)).not.toContain('basket')
    expect((await list({}, theirs)).items.map(({ traceId, root }) => [traceId, root.operation])).toEqual([
      ['f0e16', 'secret-operation'],
      ['5a1ed', ''],
    ])
  })

  test('a trace without a span of the team is not found', async () => {
    const guessed = await one('f0e16').catch((error: unknown) => error)
    const invented = await one('abcdef').catch((error: unknown) => error)
    expect(guessed).toMatchObject({ status: 404 })
    expect(guessed).toEqual(invented)
    // nor through a stack of the other team
    const other = { ...theirs.params, teamId: mine.team.id, traceId: 'f0e16' }
    await expect(mine.team.leader.call(traces.get, { params: other })).rejects.toMatchObject({ status: 404 })
    await expect(
      mine.team.leader.call(traces.get, { params: { ...theirs.params, traceId: 'f0e16' } }),
    ).rejects.toMatchObject({ status: 403 })
  })

  test('a collector’s tag takes precedence over the name, and contradictory tags belong to nobody', async () => {
    jaeger.traces = [
      jaegerTrace('e1', now - 1000, [{ id: '1', service: `web.${shop}`, namespace: bank }]),
      jaegerTrace('e2', now - 1000, [{ id: '1', service: `a.b.${shop}` }]),
      jaegerTrace('e3', now - 1000, [{ id: '1', service: 'web', tags: { 'k8s.namespace.name': shop } }]),
    ]
    const twice = jaegerTrace('e4', now - 1000, [{ id: '1', service: 'web', namespace: shop }])
    twice.processes['p0']?.tags.push({ key: 'k8s.namespace.name', type: 'string', value: bank })
    jaeger.traces.push(twice)
    expect(await ids()).toEqual([])
    for (const id of ['e1', 'e2', 'e3', 'e4']) await expect(one(id)).rejects.toMatchObject({ status: 404 })
  })

  test('a namespace of the same name in another cluster of this Jaeger is not the team’s', async () => {
    jaeger.traces = [
      jaegerTrace('e1', now - 1000, [
        { id: '1', service: 'web', namespace: shop, process: { 'k8s.cluster.name': 'west' } },
      ]),
      jaegerTrace('e2', now - 2000, [
        { id: '1', service: 'web', namespace: shop, process: { 'k8s.cluster.name': 'east' } },
      ]),
      jaegerTrace('e3', now - 3000, [{ id: '1', service: `web.${shop}`, tags: { 'istio.cluster_id': 'east' } }]),
    ]
    await connect('jaeger', { url: jaeger.url, cluster: 'east' })
    expect(await ids()).toEqual(['e2', 'e3'])
    await expect(one('e1')).rejects.toMatchObject({ status: 404 })
  })

  test('services and operations are those that occur in the stack’s own spans', async () => {
    const { leader } = mine.team
    expect((await leader.call(traces.services, { params: mine.params })).names).toEqual(['web', `web.${shop}`])
    const operations = async (service: string) =>
      (await leader.call(traces.operations, { params: mine.params, query: { service } })).names
    expect(await operations('web')).toEqual(['GET /basket'])
    expect(await operations(`web.${shop}`)).toEqual(['GET /', 'POST /paid'])
    for (const service of ['ledger', `web.${bank}`]) expect(await operations(service)).toEqual([])
  })

  test('a user who may not view services reads no traces', async () => {
    const { member } = mine.team
    const [without, with_] = [
      await member(['stack_stack_view']),
      await member(['stack_stack_view', 'stack_service_view']),
    ]
    await expect(without.call(traces.list, { params: mine.params })).rejects.toMatchObject({ status: 403 })
    expect((await with_.call(traces.list, { params: mine.params })).items).toHaveLength(2)
  })
})

describe('a failing Jaeger does not fail the page', () => {
  test('and its reason is shown only to administrators', async () => {
    jaeger.instead = { status: 500, body: 'oh' }
    const plain = await list()
    expect(plain).toMatchObject({ items: [], unset: false, notice: expect.stringContaining('not responding properly') })
    expect(plain.notice).not.toContain('127.0.0.1')
    const { notice } = await app.admin.call(traces.list, { params: mine.params })
    expect(notice).toMatch(/127\.0\.0\.1.*500/)
    expect(await one('5a1ed')).toMatchObject({ trace: null, notice: expect.stringContaining('not responding') })
    const zh = await mine.team.leader.call(traces.list, { params: mine.params }, { 'accept-language': 'zh' })
    expect(zh.notice).toMatch(/\p{Script=Han}/u)
  })

  test('one that does not answer costs a page one call, up to the time limit, and then none', async () => {
    jaeger.silent = true
    const before = jaeger.asked.length
    const answers = await Promise.all([list(), list(), one('5a1ed')])
    expect(jaeger.asked).toHaveLength(before + 3)
    for (const { notice } of answers) expect(notice).not.toBe('')
    const requests = jaeger.asked.length
    expect((await list()).notice).not.toBe('')
    expect(jaeger.asked).toHaveLength(requests)
  }, 20_000)
})
