import { hosts } from '@gantry/contract/clusters/hosts'
import { afterAll, expect, test } from 'vitest'
import { admitLocal } from '../../../../test/kube-api.ts'
import { testApp } from '../../../../test/test-app.ts'
import { watchedApi } from '../../../../test/watched-api.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'

const kube = openKube({ admit: admitLocal })
/** Cached rows of other clusters, to fill the cache. */
let others = 0
const held: typeof kube.held = () => [
  ...kube.held(),
  { environment: '', health: { state: 'up', since: 0 }, reflectors: 1, rows: others },
]
const app = await testApp({ ports: { kube: { ...kube, held } } })
const open: AsyncDisposable[] = []
afterAll(async () => {
  await kube.close()
  for (const api of open) await api[Symbol.asyncDispose]()
})

const pod = (name: string, host: string, cpu: number) => ({
  metadata: { name, namespace: 'n' },
  spec: { nodeName: host, containers: [{ name: 'c', resources: { requests: { cpu: String(cpu) } } }] },
  status: { phase: 'Running' },
})

/** Clusters `a`, `b` … of a new team, each with a host of that name; the n-th runs n pods of a core each. */
async function clusters(...names: string[]) {
  const team = await app.team()
  const apis = await Promise.all(
    names.map(async (name, at) => {
      const api = await watchedApi({
        nodes: [{ metadata: { name }, status: { allocatable: { cpu: '8', pods: '110' } } }],
        pods: Array.from({ length: at + 1 }, (_, n) => pod(`p${n}`, name, 1)),
      })
      open.push(api)
      const address = seal(app.ctx(), JSON.stringify(api.address))
      const values = { name: `${name}-${team.id}`, server: api.address.server, address }
      const { uuid } = await app.db.insertInto('environment').values(values).returning('uuid').executeTakeFirstOrThrow()
      await app.db.insertInto('environment_team').values({ environment: uuid, team_id: team.id }).execute()
      return { name, uuid, readsPods: () => api.seen.some(({ path }) => path === '/api/v1/pods') }
    }),
  )
  const list = (query: object) => team.leader.call(hosts.list, { query: { pageSize: 1, ...query } })
  /** Names and pod counts of a list, and the clusters whose pods are not counted. */
  const summary = async (query: object) => {
    const { items, stale } = await list(query)
    return {
      hosts: items.map(({ name, podNum, requested }) => [name, podNum, requested?.cpu ?? null]),
      uncounted: stale.filter(({ uncounted }) => uncounted).map(({ envName }) => envName.split('-')[0]),
    }
  }
  const reading = () => apis.filter(({ readsPods }) => readsPods()).map(({ name }) => name)
  return { apis, list, summary, reading }
}

test('the pods of a cluster are cached once one of its hosts is on the page', async () => {
  const { summary, reading } = await clusters('a', 'b', 'c')
  await expect.poll(() => summary({ sort: 'name' })).toEqual({ hosts: [['a', 1, 1]], uncounted: [] })
  expect(reading()).toEqual(['a'])
  await expect.poll(() => summary({ sort: 'name', requestPage: 2 })).toEqual({ hosts: [['b', 2, 2]], uncounted: [] })
  expect(reading()).toEqual(['a', 'b'])
})

test.each(['podNum', 'cpu'])('sorting by %s counts the pods of all clusters', async (column) => {
  const { summary, reading } = await clusters('a', 'b', 'c')
  await expect.poll(() => summary({ sort: `-${column}` })).toEqual({ hosts: [['c', 3, 3]], uncounted: [] })
  await expect.poll(() => summary({ sort: column })).toEqual({ hosts: [['a', 1, 1]], uncounted: [] })
  expect(reading()).toEqual(['a', 'b', 'c'])
})

test('a cluster reserves as many cached rows as its nodes can have pods', async () => {
  const { summary } = await clusters('a', 'b', 'c')
  try {
    others = 99_000
    await expect.poll(() => summary({ sort: '-podNum' })).toEqual({ hosts: [['c', 3, 3]], uncounted: [] })
  } finally {
    others = 0
  }
})

test('a cluster that does not fit into the cache is not read, sorts last, and is named; a single cluster is always counted', async () => {
  const { apis, list, summary, reading } = await clusters('a', 'b', 'c')
  const all = { pageSize: 10 }
  try {
    // room for one more, then for none
    others = 99_800
    expect(await summary({ ...all, sort: '-podNum' })).toMatchObject({ uncounted: ['b', 'c'] })
    others = 99_900
    const uncounted = [
      ['b', null, null],
      ['c', null, null],
    ]
    await expect
      .poll(() => summary({ ...all, sort: '-podNum' }))
      .toEqual({ hosts: [['a', 1, 1], ...uncounted], uncounted: ['b', 'c'] })
    expect(await summary({ ...all, sort: 'cpu' })).toEqual({
      hosts: [['a', 1, 1], ...uncounted],
      uncounted: ['b', 'c'],
    })
    expect(await summary({ sort: '-name' })).toEqual({ hosts: [['c', null, null]], uncounted: ['c'] })
    expect(reading()).toEqual(['a'])
    expect((await list({ ...all, sort: 'cpu' })).stale[0]?.message).toMatch(/memory.*Select this cluster/)
    await expect.poll(() => summary({ envUuid: apis[2]?.uuid })).toEqual({ hosts: [['c', 3, 3]], uncounted: [] })
    // and it stays counted for as long as somebody looks at it
    expect(await summary({ ...all, sort: '-podNum' })).toMatchObject({ uncounted: ['b'] })
  } finally {
    others = 0
  }
})
