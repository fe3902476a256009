import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { type Expression, monitoring } from '@gantry/contract/monitoring/metrics'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { admitLocal } from '../../../../test/kube-api.ts'
import { kubectlOf } from '../../../../test/kubectl.ts'
import { labCluster } from '../../../../test/lab.ts'
import { until } from '../../../../test/own-namespace.ts'
import { testApp, type TestApp } from '../../../../test/test-app.ts'
import { parseKubeconfig } from '../../../adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { keepPartitions } from './partitions.store.ts'
import { sampleCluster } from './sampling.service.ts'

const lab = labCluster()
const minute = 60_000
/** CPU limit of the stack's only container, which it uses up. */
const cores = 0.1

describe.skipIf(lab === undefined)('figures of a real metrics server (needs the lab’s kube)', async () => {
  const kube = openKube({ admit: admitLocal })
  const app = await testApp({ ports: { kube } })
  const kubeconfig = lab === undefined ? '' : readFileSync(lab.kubeconfig, 'utf8')
  const kubectl = kubectlOf(lab ?? { bin: '', kubeconfig: '' })
  const direct = () => kube.cluster('a look of our own', parseKubeconfig(kubeconfig)).kube
  const now = Math.floor(Date.now() / minute) * minute
  let team: Awaited<ReturnType<TestApp['team']>>
  let env = ''
  let stackId = 0
  let service = 0
  let namespace = ''

  const ask = (expression: Expression, query: object = {}) =>
    team.leader.call(monitoring.query, {
      params: { tenant: team.id, env, expression },
      query: { start: now - 12 * minute, end: now, type: 'RANGE', ...query },
    })
  const health = () => team.leader.call(monitoring.health, { params: { tenant: team.id, env } })
  /** The only requested series, by minutes ago. */
  const byMinute = async (expression: Expression, query: object = {}) => {
    const { series, notice } = await ask(expression, query)
    expect([series.length, notice]).toEqual([1, ''])
    return new Map(series[0]?.dps.map(([at, value]) => [(now - at) / minute, value]))
  }
  const deployed = async () => {
    await app.reconcile()
    return (await direct().list(kinds.podMetrics, { namespace })).items.length === 1
  }

  beforeAll(async () => {
    team = await app.team(`metrics-${randomBytes(3).toString('hex')}`)
    await keepPartitions(app.db, now)
    const body = { name: 'real', kubeconfig, teamIds: [team.id] }
    env = (await app.admin.call(clusters.create, { body })).uuid
    const params = { teamId: team.id }
    stackId = (await team.leader.call(stacks.create, { params, body: { name: 'shop', envId: env } })).id
    namespace = `${team.name}-shop`
    const busy = { image: 'localhost/busybox:1', command: ['sh', '-c', 'trap exit TERM; while true; do :; done'] }
    service = (
      await team.leader.call(services.create, {
        params: { ...params, stackId, serviceName: 'busy' },
        body: { ...busy, resources: { cpu: String(cores), memory: '32Mi' } },
      })
    ).id
    await until('the pod is measured', deployed, 90)
    for (const ago of [10, 9, 2, 1]) await sampleCluster(app.ctx(), env, now - ago * minute)
  })
  afterAll(async () => {
    await team.leader.call(stacks.remove, {
      params: { teamId: team.id, envId: env, stackId },
      query: { confirm: 'shop' },
    })
    await until('the stack is gone', async () => {
      await app.reconcile()
      return (await app.db.selectFrom('stack').select('id').executeTakeFirst()) === undefined
    })
    await kube.close()
  })

  test('hosts, the cluster, namespaces, services and containers have figures', async () => {
    expect(await health()).toMatchObject({ source: 'sampled', healthy: true, message: '' })
    const host = await byMinute('host_cpu_usage', { host: 'kube-node' })
    const percent = await byMinute('host_memory_percent', { host: 'kube-node' })
    const cluster = await byMinute('cluster_cpu_usage')
    expect(host.get(1)).toBeGreaterThan(0)
    expect(cluster.get(1)).toBeGreaterThanOrEqual(host.get(1) ?? Infinity)
    expect(percent.get(1)).toBeGreaterThan(0)
    expect(percent.get(1)).toBeLessThan(100)
    expect((await byMinute('cluster_pods')).get(1)).toBeGreaterThan(1)
    const used = await Promise.all([
      byMinute('namespace_cpu_usage', { namespace }),
      byMinute('service_cpu_usage', { service }),
      byMinute('container_cpu_usage', { service, container: 'busy' }),
    ])
    // how much of its share the pod gets depends on the load of the machine
    for (const figures of used) {
      expect(figures.get(1)).toBeGreaterThan(0)
      expect(figures.get(1)).toBeLessThan(cores * 1.5)
      expect(figures.get(1)).toBeCloseTo(used[0].get(1) ?? 0, 3)
    }
    expect((await byMinute('container_memory_usage', { service })).get(1)).toBeGreaterThan(10_000)
  })

  test('minutes without a sample are a gap', async () => {
    for (const [expression, query] of [
      ['host_cpu_usage', { host: 'kube-node' }],
      ['namespace_memory_usage', { namespace }],
      ['service_cpu_usage', { service }],
    ] as const) {
      const figures = await byMinute(expression, query)
      // a figure holds for two minutes
      expect([12, 11, 10, 9, 6, 5, 4, 3, 2, 1].filter((ago) => typeof figures.get(ago) === 'number')).toEqual([
        10, 9, 2, 1,
      ])
    }
  })

  test('without a metrics server the charts say so, and the rest of the cluster’s pages works', async () => {
    const name = 'v1beta1.metrics.k8s.io'
    const { metadata, spec } = JSON.parse(await kubectl(['get', 'apiservice', name, '-o', 'json'])) as {
      metadata: { labels?: object }
      spec: object
    }
    const again = { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', spec }
    await kubectl(['delete', 'apiservice', name])
    try {
      await until('the API is gone', async () => {
        await sampleCluster(app.ctx(), env, now)
        return !(await health()).healthy
      })
      const { message, source } = await health()
      expect([source, message]).toEqual(['sampled', expect.stringContaining('no metrics server')])
      expect((await ask('cluster_cpu_usage')).notice).toMatch(/There is no data after .*no metrics server/)
      const check = await app.admin.call(clusters.recheck, { params: { uuid: env } })
      expect(check).toMatchObject({ ok: true })
    } finally {
      await kubectl(['apply', '-f', '-'], { ...again, metadata: { name, labels: metadata.labels } })
    }
    await until('it measures again', async () => {
      await sampleCluster(app.ctx(), env, now)
      return (await health()).healthy
    })
  })
})
