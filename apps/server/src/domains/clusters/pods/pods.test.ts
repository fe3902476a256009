import { hosts } from '@gantry/contract/clusters/hosts'
import { pods, podSorts } from '@gantry/contract/clusters/pods'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, describe, expect, test } from 'vitest'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { admitLocal, refuse } from '../../../../test/kube-api.ts'
import { testApp, type TestCaller } from '../../../../test/test-app.ts'
import { podObject as pod, watchedCluster } from '../../../../test/watched-cluster.ts'

const kube = openKube({ admit: admitLocal, timing: { rest: 0.05 } })
const app = await testApp({ ports: { kube } })
const mine = await app.team()
const theirs = await app.team()
const viewer = await mine.member(['resource_pod_view', 'resource_event_view'])

const cluster = (list: ReturnType<typeof pod>[], events: object[] = []) =>
  watchedCluster(app, [mine, theirs], { pods: list, events: events as never[] })
const open: (() => Promise<unknown>)[] = []
afterAll(async () => {
  await kube.close()
  for (const close of open) await close()
})

describe('the list', async () => {
  const many = Array.from({ length: 1234 }, (_, n) =>
    pod(`p-${(n * 7919) % 1234}`, {
      namespace: `ns-${n % 7}`,
      node: `node-${n % 3}`,
      ip: `10.0.${n % 9}.${n % 250}`,
      cpu: `${n % 13}00m`,
      restarts: n % 5,
      ready: n % 4 > 0,
      created: `2026-01-${String(1 + (n % 28)).padStart(2, '0')}T00:00:00Z`,
      ...(n % 11 === 0 && { waiting: 'CrashLoopBackOff' }),
    }),
  )
  const { api, page, names } = await cluster(many)
  open.push(api[Symbol.asyncDispose])
  await eventually(async () => expect((await page()).age.message).toBe(''))
  const whole = await page({ pageSize: -1 })
  const rest = await page({ pageSize: -1, requestPage: 2 })

  test('is complete with the exact total, and says if it was truncated', () => {
    expect([whole.items.length, whole.totalSize, whole.truncated]).toEqual([1000, 1234, true])
    expect([rest.items.length, rest.truncated]).toEqual([234, undefined])
    expect(new Set([...whole.items, ...rest.items].map(({ uid }) => uid)).size).toBe(1234)
    expect(whole.age).toEqual({ staleSince: null, message: '' })
  })

  const value = (row: (typeof whole.items)[number], column: (typeof podSorts)[number]) =>
    column === 'ready' ? row.ready - row.containers : row[column]

  test.for(podSorts.flatMap((column) => [column, `-${column}`]))('is sorted by %s', async (sort) => {
    const column = sort.replace('-', '') as (typeof podSorts)[number]
    const names = new Intl.Collator('en', { numeric: true })
    const order = (a: string | number, b: string | number) =>
      typeof a === 'string' ? names.compare(a, String(b)) : a - Number(b)
    const wanted = [...whole.items, ...rest.items].sort(
      (a, b) =>
        order(value(a, column), value(b, column)) * (sort === column ? 1 : -1) ||
        order(a.namespace, b.namespace) ||
        order(a.name, b.name),
    )
    for (const requestPage of [1, 3, 25])
      expect((await page({ sort, pageSize: 50, requestPage })).items).toEqual(
        wanted.slice((requestPage - 1) * 50, requestPage * 50),
      )
  })

  test('is narrowed by each filter, and by all of them', async () => {
    const all = [...whole.items, ...rest.items]
    const count = (of: (row: (typeof all)[number]) => boolean) => all.filter(of).length
    const total = async (query: object) => (await page(query)).totalSize
    expect(await total({ namespace: 'ns-3' })).toBe(count(({ namespace }) => namespace === 'ns-3'))
    expect(await total({ host: 'node-1' })).toBe(count(({ host }) => host === 'node-1'))
    expect(await total({ status: 'CrashLoopBackOff' })).toBe(count(({ status }) => status === 'CrashLoopBackOff'))
    expect(await total({ keyword: 'P-77' })).toBe(count(({ name }) => name.includes('p-77')))
    expect(await total({ keyword: '10.0.8.' })).toBe(count(({ ip }) => ip.startsWith('10.0.8.')))
    expect(await total({ keyword: 'node-2', namespace: 'ns-1', status: 'Running' })).toBe(
      count(({ host, namespace, status }) => host === 'node-2' && namespace === 'ns-1' && status === 'Running'),
    )
    expect(await page({ keyword: 'no such pod' })).toMatchObject({ items: [], totalSize: 0 })
  })

  test('counts each status, whatever status is filtered', async () => {
    const { statuses, totalSize } = await page({ status: 'Running' })
    expect(statuses).toEqual([
      { status: 'Running', count: 1121 },
      { status: 'CrashLoopBackOff', count: 113 },
    ])
    expect(totalSize).toBe(1121)
  })

  test('has no page beyond its end, and refuses an unknown order', async () => {
    expect(await page({ requestPage: 1_000_000, pageSize: 1000 })).toMatchObject({ items: [], totalSize: 1234 })
    await expect(page({ sort: 'labels' })).rejects.toMatchObject({ status: 400 })
    await expect(page({ pageSize: 0 })).rejects.toMatchObject({ status: 400 })
    expect(await names({ pageSize: 1, sort: 'name' })).toEqual(['p-0'])
  })
})

describe('visibility', async () => {
  const { api, uuid, stack, page, names } = await cluster(
    [
      pod('web-1', { namespace: 'mine-shop', labels: { 'gantry.dev/service': '0' } }),
      pod('theirs-1', { namespace: 'theirs-shop' }),
      pod('system', { namespace: 'kube-system' }),
    ],
    ['mine-shop', 'theirs-shop', 'default'].map((namespace, n) => ({
      metadata: { name: `e${n}`, namespace },
      involvedObject: { kind: 'Pod', namespace, name: `pod-${n}` },
      type: n === 0 ? 'Warning' : 'Normal',
      reason: 'Happened',
      message: `In ${namespace}`,
      lastTimestamp: `2026-01-0${n + 1}T00:00:00Z`,
      count: 3,
    })),
  )
  open.push(api[Symbol.asyncDispose])
  const own = await stack(mine, 'mine-shop')
  await stack(theirs, 'theirs-shop')

  test('shows a team the pods of its own stacks, and an administrator all', async () => {
    expect(await names({}, viewer)).toEqual(['web-1'])
    expect(await names({}, theirs.leader)).toEqual(['theirs-1'])
    expect(await names()).toEqual(['system', 'theirs-1', 'web-1'])
    expect((await page({ namespace: 'theirs-shop' }, viewer)).totalSize).toBe(0)
    expect((await page({ keyword: 'theirs' }, viewer)).statuses).toEqual([])
  })

  test('assigns a pod to a stack by its namespace, whatever its labels claim', async () => {
    const labels = { 'gantry.dev/team': String(mine.id), 'gantry.dev/service': String(own.service) }
    api.put('pods', pod('forged', { namespace: 'theirs-shop', labels }))
    api.put('pods', pod('web-1', { namespace: 'mine-shop', labels }))
    await eventually(async () => expect(await names({}, theirs.leader)).toEqual(['forged', 'theirs-1']))
    expect(await names({}, viewer)).toEqual(['web-1'])
    const [seen] = (await page({ keyword: 'forged' })).items
    expect(seen?.stack).toMatchObject({ name: 'theirs-shop', teamId: theirs.id, service: null })
    const [web] = (await page({}, viewer)).items
    expect(web?.stack).toEqual({
      id: own.id,
      uuid: expect.any(String),
      name: 'mine-shop',
      teamId: mine.id,
      service: { id: own.service, name: 'web' },
    })
    api.drop('pods', 'forged', 'theirs-shop')
  })

  test('refuses callers without the permission, and hides clusters of others', async () => {
    const without = await mine.member([])
    await expect(page({}, without)).rejects.toMatchObject({ status: 403 })
    await expect(page({}, (await app.team()).leader)).rejects.toMatchObject({ status: 404 })
  })

  test('events of the same namespaces are listed latest first', async () => {
    const events = async (query: object, who: TestCaller) =>
      (await who.call(pods.events, { params: { env: uuid }, query })).items.map(({ message }) => message)
    expect(await events({}, app.admin)).toEqual(['In default', 'In theirs-shop', 'In mine-shop'])
    expect(await events({}, viewer)).toEqual(['In mine-shop'])
    expect(await events({ type: 'Normal', keyword: 'THEIRS' }, app.admin)).toEqual(['In theirs-shop'])
    expect(await events({ kind: 'Node' }, app.admin)).toEqual([])
    expect(await events({ namespace: 'default', pageSize: 1 }, app.admin)).toEqual(['In default'])
  })

  test('with more events than are kept the list has the latest, and says that there are more', async () => {
    const events = Array.from({ length: 11_000 }, (_, at) => ({
      metadata: { name: `e${at}`, namespace: 'n' },
      involvedObject: { kind: 'Node', name: 'host' },
      message: String(at),
      // the cluster lists by name, not by time
      lastTimestamp: new Date(Date.UTC(2026, 0, 1) + ((at * 7919) % 11_000) * 1000).toISOString(),
    }))
    const { api, uuid } = await cluster([])
    open.push(api[Symbol.asyncDispose])
    for (const event of events) api.put('events', event)
    const list = () => app.admin.call(pods.events, { params: { env: uuid }, query: { pageSize: 2 } })
    await expect.poll(list).toMatchObject({ totalSize: 10_000, truncated: true })
    const latest = events.toSorted((a, b) => (a.lastTimestamp < b.lastTimestamp ? 1 : -1)).map(({ message }) => message)
    expect((await list()).items.map(({ message }) => message)).toEqual(latest.slice(0, 2))
    const last = await app.admin.call(pods.events, {
      params: { env: uuid },
      query: { pageSize: 1, requestPage: 10_000 },
    })
    expect(last.items.map(({ message }) => message)).toEqual([latest[9_999]])
    const ofHost = { params: { env: uuid, host: 'host' }, query: { pageSize: 1 } }
    expect(await app.admin.call(hosts.events, ofHost)).toMatchObject({ totalSize: 10_000, truncated: true })
  })
})

describe('a cluster in trouble', () => {
  test('keeps its list readable, and says since when and why it is outdated', async () => {
    const { api, stack, page } = await cluster([pod('a'), pod('b', { namespace: 'in-trouble' })])
    await stack(mine, 'in-trouble')
    expect((await page()).age.staleSince).toBeNull()
    await api[Symbol.asyncDispose]()
    await eventually(async () => {
      const { items, age } = await page()
      expect(items).toHaveLength(2)
      expect(Date.parse(age.staleSince ?? '')).toBeLessThanOrEqual(Date.now())
      expect(age.message).toMatch(/refused the connection|closed the connection/)
    })
    // internal addresses are shown to administrators only
    const { items, age } = await page({}, viewer)
    expect([items.length, age.message]).toEqual([
      1,
      'The cluster is not responding. Administrators can see the reason.',
    ])
  })

  test('reports revoked credentials as such, in the reader’s language', async () => {
    const { api, uuid, page } = await cluster([pod('a')])
    open.push(api[Symbol.asyncDispose])
    await page()
    api.answer((_seen, response) => refuse(response, 401, 'Unauthorized'))
    api.cut()
    await eventually(async () => expect((await page()).age.message).toContain('credentials'))
    const chinese = await app.admin.call(pods.list, { params: { env: uuid } }, { 'accept-language': 'zh' })
    expect(chinese.age.message).toContain('凭据')
  })

  test('that never answered has an empty list that says so, within a moment', async () => {
    const { api, page } = await cluster([])
    open.push(api[Symbol.asyncDispose])
    api.answer(() => undefined)
    const { items, age } = await page()
    expect([items, age.staleSince]).toEqual([[], null])
    expect(age.message).toContain('first time')
  })
})
