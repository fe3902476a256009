import { type Expression, monitoring } from '@gantry/contract/monitoring/metrics'
import { eventually } from '@gantry/waiting/eventually'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { fakeApi, reply } from '../../../../test/kube-api.ts'
import { figures, measuredCluster } from '../../../../test/measured-cluster.ts'
import { type TestCaller, testApp } from '../../../../test/test-app.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { jsonb } from '../../../db/json.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'
import { clusterOf } from '../../clusters/public.ts'
import { measure, sampleAll, sampleCluster } from './sampling.service.ts'

const { app, kube, address, direct, env, mine, shop, newEnvironment, ask } = await measuredCluster()
const minute = 60_000

describe('the product samples', () => {
  test('hosts, the cluster and its capacity', async () => {
    const hosts = await ask(mine, 'host_cpu_usage')
    expect(hosts).toMatchObject({ source: 'sampled', unit: 'cores', stepSeconds: 60, notice: '', truncated: false })
    const { items } = await direct.list(kinds.nodes)
    expect(hosts.series.map(({ metric }) => metric['host'])).toEqual(items.map(({ metadata }) => metadata?.name).sort())
    const [cluster] = (await ask(mine, 'cluster_cpu_usage')).series
    const sum = hosts.series.flatMap(figures).reduce((total, one) => total + one, 0)
    expect(cluster?.name).toBe('lab')
    expect(figures(cluster!)[0]).toBeCloseTo(sum, 3)
    const [percent] = (await ask(mine, 'cluster_memory_percent')).series
    expect(figures(percent!)[0]).toBeGreaterThan(0)
    expect(figures(percent!)[0]).toBeLessThan(100)
    expect(figures((await ask(mine, 'cluster_pods')).series[0]!)).toEqual([3])
    const [one] = (await ask(mine, 'host_memory_usage', { host: hosts.series[0]!.name })).series
    expect(one?.metric).toEqual({ host: hosts.series[0]!.name })
  })

  test('a service as the sum of its containers', async () => {
    const { service, namespace } = shop
    const containers = await ask(mine, 'container_memory_usage', { service })
    expect(containers.series).toHaveLength(2)
    expect(containers.series[0]?.metric).toMatchObject({ namespace, container: 'web' })
    const [whole] = (await ask(mine, 'service_memory_usage', { service })).series
    expect(whole?.name).toBe('web')
    const sum = containers.series.flatMap(figures).reduce((total, one) => total + one, 0)
    expect(figures(whole!)[0]! / sum).toBeCloseTo(1, 3)
    const [space] = (await ask(mine, 'namespace_memory_usage')).series
    expect(figures(space!)[0]! / sum).toBeCloseTo(1, 3)
  })

  test('gaps for the minutes without a sample', async () => {
    const { series } = await ask(mine, 'cluster_cpu_usage', { type: 'MINUTE', duration: 30 })
    const values = series[0]!.dps.map(([, value]) => value)
    expect(values.length).toBeGreaterThan(29)
    expect(values.slice(0, 20).every((value) => value === null)).toBe(true)
    expect(values.at(-1)).not.toBeNull()
  })

  test('each minute once, even if another replica writes it again', async () => {
    const other = await testApp({ beside: app, ports: { kube } })
    const at = Math.floor(Date.now() / minute) * minute
    await Promise.all([sampleCluster(app.ctx(), env, at), sampleCluster(other.ctx(), env, at)])
    await sampleCluster(app.ctx(), env, at)
    const twice = await app.db
      .selectFrom('metric_series')
      .select((q) => q.fn.countAll<number>().as('count'))
      .groupBy(['environment', 'expression', 'namespace', 'pod', 'container', 'host'])
      .having((q) => q.fn.countAll(), '>', 1)
      .execute()
    expect(twice).toEqual([])
    const { series } = await ask(mine, 'cluster_pods')
    expect(new Set(figures(series[0]!))).toEqual(new Set([3]))
  })

  test('a known series with its id, without using up a new one', async () => {
    const taken = async () => {
      const { rows } = await sql<{ last: number }>`
        select pg_sequence_last_value(pg_get_serial_sequence('metric_series', 'id'))::int as last`.execute(app.db)
      return rows[0]!.last
    }
    const kept = () => app.db.selectFrom('metric_series').select(['id', 'expression', 'most']).orderBy('id').execute()
    const [before, last] = [await kept(), await taken()]
    // an hour later all are looked up again: one no longer exists, and no maximum is known
    const gone = before.at(-1)!
    await sql`update metric_series set seen_at = now() - interval '2 hours', most = null`.execute(app.db)
    await app.db.deleteFrom('metric_series').where('id', '=', gone.id).execute()
    await sampleCluster(app.ctx(), env, Math.floor(Date.now() / minute) * minute)
    expect(await kept()).toEqual([...before.slice(0, -1), { ...gone, id: last + 1 }])
    expect(await taken()).toBe(last + 1)
    const { rows } = await sql`select from metric_series where seen_at < now() - interval '1 hour'`.execute(app.db)
    expect(rows).toEqual([])
  })
})

describe('a cluster that does not answer', () => {
  test('delays no other, shows the reason, and recovers', async () => {
    const nowhere = { ...address, server: 'https://127.0.0.1:1' }
    const dead = await newEnvironment('dead', seal(app.ctx(), JSON.stringify(nowhere)))
    const broken = await newEnvironment('broken', 'no secret of ours')
    await app.db.insertInto('environment_team').values({ environment: dead, team_id: mine.id }).execute()
    await app.db.deleteFrom('monitoring_sampling').execute()
    await sampleAll(app.ctx())
    const health = (uuid: string) => mine.leader.call(monitoring.health, { params: { tenant: mine.id, env: uuid } })
    expect(await health(env)).toMatchObject({ source: 'sampled', healthy: true, message: '' })
    expect(await health(dead)).toMatchObject({ source: 'none', healthy: false, latest: null })
    const forAdmin = await app.admin.call(monitoring.health, { params: { tenant: mine.id, env: dead } })
    expect(forAdmin.message).toContain('127.0.0.1:1')
    expect((await health(dead)).message).toContain('is not responding')
    const answer = await mine.leader.call(monitoring.query, {
      params: { tenant: mine.id, env: dead, expression: 'cluster_cpu_usage' },
    })
    const notice = expect.stringContaining('is not responding')
    expect(answer).toMatchObject({ source: 'none', series: [], notice })
    await app.db.deleteFrom('environment').where('uuid', 'in', [dead, broken]).execute()
  })

  test('in time keeps what arrived: hosts and quick namespaces have figures, slow ones a gap', async () => {
    const usage = { cpu: '1', memory: '1Gi' }
    await using slow = await fakeApi(({ path }, response) => {
      if (path.startsWith('/apis/metrics.k8s.io/v1beta1/nodes'))
        reply(response, { items: [{ metadata: { name: 'n1' }, usage }] })
      if (path.includes('/namespaces/quick/'))
        reply(response, { items: [{ metadata: { name: 'web-0' }, containers: [{ name: 'web', usage }] }] })
      if (path === '/version') reply(response, { major: '1', minor: '33', gitVersion: 'v1.33.0' })
    })
    const uuid = await newEnvironment('slow', seal(app.ctx(), JSON.stringify(slow.address)))
    const stack = (name: string) => ({ team_id: mine.id, environment: uuid, name, namespace: name, actor: 'admin' })
    await app.db
      .insertInto('stack')
      .values(['hangs', 'quick'].map((name) => ({ ...stack(name), state: 'running' as const })))
      .execute()
    const budget = 500
    const late = new AbortController()
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => (ms === budget ? late.signal : timeout(ms)))
    onTestFinished(() => void vi.restoreAllMocks())
    const measured = measure(app.ctx(), uuid, 0, budget)
    await eventually(() => expect(slow.seen.map(({ path }) => path).join()).toMatch(/hangs[^]*quick|quick[^]*hangs/))
    // a request that is sent now is answered after the quick one
    await (await clusterOf(app.ctx(), uuid)).kube.version()
    late.abort()
    const { nodes, pods, podsReason, podNum } = await measured
    expect(nodes.map(({ name }) => name)).toEqual(['n1'])
    expect(pods.map(({ namespace, pod }) => `${namespace}/${pod}`)).toEqual(['quick/web-0'])
    expect(podsReason).toBeNull()
    expect(podNum).toBeUndefined()
    await app.db.deleteFrom('stack').where('environment', '=', uuid).execute()
    await app.db.deleteFrom('environment').where('uuid', '=', uuid).execute()
  })

  test('for its pods leaves their charts empty with the reason, and its hosts have figures', async () => {
    const usage = { cpu: '1', memory: '1Gi' }
    const message = 'pods.metrics.k8s.io is forbidden'
    let refused = ['one', 'two']
    await using partial = await fakeApi(({ path }, response) => {
      if (path.startsWith('/apis/metrics.k8s.io/v1beta1/nodes'))
        return reply(response, { items: [{ metadata: { name: 'n1' }, usage }] })
      if (refused.some((namespace) => path.includes(`/namespaces/${namespace}/`)))
        return reply(response, { kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403, message }, 403)
      const pod = { metadata: { name: 'web-0' }, containers: [{ name: 'web', usage }] }
      return reply(response, { items: path.includes('/metrics.k8s.io/') ? [pod] : [] })
    })
    const uuid = await newEnvironment('partial', seal(app.ctx(), JSON.stringify(partial.address)))
    await app.db.insertInto('environment_team').values({ environment: uuid, team_id: mine.id }).execute()
    await app.db
      .insertInto('stack')
      .values(
        refused.map((name) => ({
          team_id: mine.id,
          environment: uuid,
          name,
          namespace: name,
          actor: 'admin',
          state: 'running' as const,
        })),
      )
      .execute()
    const sample = () => sampleCluster(app.ctx(), uuid, Math.floor(Date.now() / minute) * minute)
    const chart = (by: TestCaller, expression: Expression) =>
      by.call(monitoring.query, { params: { tenant: mine.id, env: uuid, expression } })
    const health = (by: TestCaller) => by.call(monitoring.health, { params: { tenant: mine.id, env: uuid } })

    await sample()
    for (const expression of ['container_cpu_usage', 'namespace_memory_usage'] as const) {
      expect(await chart(app.admin, expression)).toMatchObject({
        series: [],
        notice: expect.stringContaining(message),
      })
      expect((await chart(mine.leader, expression)).notice).toMatch(/credentials/)
    }
    expect(await chart(app.admin, 'host_cpu_usage')).toMatchObject({ series: { length: 1 }, notice: '' })
    expect(await health(app.admin)).toMatchObject({ healthy: false, message: expect.stringContaining(message) })

    refused = ['one']
    await sample()
    expect(await chart(app.admin, 'container_cpu_usage')).toMatchObject({ series: { length: 1 }, notice: '' })
    expect(await health(app.admin)).toMatchObject({ healthy: true, message: '' })
    await app.db.deleteFrom('stack').where('environment', '=', uuid).execute()
    await app.db.deleteFrom('environment').where('uuid', '=', uuid).execute()
  })

  test('any more shows since when its figures are missing', async () => {
    await app.db
      .updateTable('monitoring_sampling')
      .set({ reason: jsonb({ key: 'monitoring-no-server', vars: {} }) })
      .execute()
    const { notice, series } = await ask(mine, 'cluster_cpu_usage')
    expect(series).toHaveLength(1)
    expect(notice).toMatch(/There is no data after .*metrics server/)
    await sampleAll(app.ctx())
    const long = new Date(Date.now() - 6 * minute).toISOString()
    await app.db.updateTable('monitoring_sampling').set({ tried_at: long, sampled_at: long }).execute()
    expect((await ask(mine, 'cluster_cpu_usage')).notice).toMatch(/There is no data after .*has stopped/)
    expect(await mine.leader.call(monitoring.health, { params: { tenant: mine.id, env } })).toMatchObject({
      healthy: false,
      message: expect.stringContaining('has stopped'),
    })
    await sampleAll(app.ctx())
    expect(await ask(mine, 'cluster_cpu_usage')).toMatchObject({ notice: '' })
  })
})
