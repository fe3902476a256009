import { monitoring, type Expression } from '@gantry/contract/monitoring/metrics'
import { describe, expect, test } from 'vitest'
import { compareNames } from '../../../kernel/in-order.ts'
import { measuredCluster } from '../../../../test/measured-cluster.ts'
import type { TestCaller } from '../../../../test/test-app.ts'

const { app, env, mine, theirs, shop, bank, ask } = await measuredCluster()
const minute = 60_000

describe('visibility', () => {
  const raw = (path: string, as = mine.leader) =>
    as.raw({ method: 'GET', url: `/monitor-metrics/api/tenants/${mine.id}/environments/${env}/${path}` })

  test.each([
    ['a query instead of a name', encodeURIComponent('sum(rate(container_cpu_usage_seconds_total[5m]))'), 400],
    ['a name and more', 'container_cpu_usage%22%7D%20or%20vector(1)', 400],
    [
      'a matcher in place of a namespace',
      `container_cpu_usage?namespace=${encodeURIComponent('x"} or vector(1)')}`,
      400,
    ],
    ['a pattern in place of a pod', `container_cpu_usage?pod=${encodeURIComponent('.*')}`, 400],
    ['a pattern in place of a host', `host_cpu_usage?host=${encodeURIComponent('a|b')}`, 400],
    ['an unknown label', 'container_cpu_usage?cluster=east', 400],
    ['another team’s namespace', 'container_cpu_usage?namespace=theirs-bank', 404],
    ['the cluster’s own namespace', 'namespace_cpu_usage?namespace=kube-system', 404],
    ['an unknown service', 'service_cpu_usage?service=99999', 404],
    ['no service', 'service_cpu_usage', 400],
    ['an end before the start', 'cluster_cpu_usage?start=2000000000&end=1000000000', 400],
    ['no number', 'cluster_cpu_usage?start=NaN', 400],
    ['an unknown unit', 'cluster_cpu_usage?type=CENTURY', 400],
  ])('%s', async (_, path, status) => {
    expect((await raw(path)).statusCode).toBe(status)
  })

  test('another team’s service, pods and containers are hidden', async () => {
    const { service, namespace } = bank
    await expect(ask(mine, 'service_cpu_usage', { service })).rejects.toMatchObject({ status: 404 })
    await expect(ask(mine, 'container_cpu_usage', { service })).rejects.toMatchObject({ status: 404 })
    await expect(ask(mine, 'container_cpu_usage', { service: shop.service, namespace })).rejects.toMatchObject({
      status: 404,
    })
    const [foreign] = (await ask(theirs, 'container_cpu_usage')).series
    expect(foreign?.metric['namespace']).toBe(namespace)
    expect((await ask(mine, 'container_cpu_usage', { pod: foreign!.metric['pod'] })).series).toEqual([])
    const all = await ask(mine, 'container_cpu_usage')
    expect(new Set(all.series.map(({ metric }) => metric['namespace']))).toEqual(new Set([shop.namespace]))
  })

  test('a cluster that the team may not use does not exist for it', async () => {
    const stranger = await app.team()
    for (const expression of ['cluster_cpu_usage', 'container_cpu_usage'] as const)
      await expect(ask(stranger, expression)).rejects.toMatchObject({ status: 404, key: 'resource-missing' })
    await expect(
      stranger.leader.call(monitoring.ofCluster, { params: { env, metrics: 'cluster_cpu_usage' } }),
    ).rejects.toMatchObject({ status: 404 })
    await expect(ask({ ...mine, leader: stranger.leader }, 'cluster_cpu_usage')).rejects.toMatchObject({ status: 403 })
  })

  test('the permission is required, and a team without stacks gets a notice', async () => {
    const without = { ...mine, leader: await mine.member([]) }
    await expect(ask(without, 'cluster_cpu_usage')).rejects.toMatchObject({ status: 403 })
    const may = { ...mine, leader: await mine.member(['monitor_metrics_view']) }
    expect((await ask(may, 'cluster_cpu_usage')).series).toHaveLength(1)
    const empty = await app.team()
    await app.db.insertInto('environment_team').values({ environment: env, team_id: empty.id }).execute()
    expect(await ask(empty, 'container_cpu_usage')).toMatchObject({
      series: [],
      notice: expect.stringContaining('no stack'),
    })
  })

  test('on the page of a cluster members see their own namespaces, administrators all', async () => {
    const look = (as: TestCaller, metrics: Expression, query: object = {}) =>
      as.call(monitoring.ofCluster, { params: { env, metrics }, query })
    const names = async (as: TestCaller) => (await look(as, 'namespace_cpu_usage')).series.map(({ name }) => name)
    const member = await mine.member(['resource_clustermetrics_view'])
    expect(await names(member)).toEqual([shop.namespace])
    expect(await names(app.admin)).toEqual([shop.namespace, bank.namespace].toSorted(compareNames))
    await expect(look(member, 'namespace_cpu_usage', { namespace: bank.namespace })).rejects.toMatchObject({
      status: 404,
    })
    await expect(look(member, 'container_cpu_usage')).rejects.toMatchObject({
      status: 400,
      key: 'monitoring-cluster-only',
    })
    await expect(look(await mine.member([]), 'cluster_cpu_usage')).rejects.toMatchObject({ status: 403 })
  })

  test.each(['step=0', 'step=NaN', 'step=-1', 'step=1e9', 'start=2000000000000&end=1000000000000', 'start=-1'])(
    '%s is refused',
    async (query) => {
      const url = `/resource-manager/api/environments/${env}/metrics/cluster_cpu_usage?${query}`
      expect((await app.admin.raw({ method: 'GET', url })).statusCode).toBe(400)
    },
  )

  test('a query over a year returns what is kept, with a notice', async () => {
    const start = Date.now() - 365 * 24 * 60 * minute
    const year = await ask(mine, 'cluster_cpu_usage', { type: 'RANGE', start, end: 0 })
    expect(year.series[0]!.dps.length).toBeLessThanOrEqual(500)
    expect(year.notice).toMatch(/31 days.*|8 days/)
    expect(year.end - year.start).toBeLessThanOrEqual(32 * 24 * 60 * minute)
  })
})
