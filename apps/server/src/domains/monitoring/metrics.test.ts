import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { monitoring, type Expression } from '@gantry/contract/monitoring/metrics'
import { mask } from '@gantry/contract/validators'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openKube } from '../../adapters/kube/pool.ts'
import { parseKubeconfig } from '../../adapters/kube/kubeconfig.ts'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { createPrometheus } from '../../adapters/prometheus/prometheus.ts'
import * as kinds from '../../adapters/kube/resources.ts'
import { startSandbox } from '../../../test/sandbox.ts'
import { testApp, type TestCaller } from '../../../test/test-app.ts'
import { jsonb } from '../../db/json.ts'
import { seal } from '../../kernel/secrets.ts'
import { keepPartitions } from './partitions.store.ts'
import { averageHours, writeSamples } from './samples.store.ts'
import { sampleAll, sampleCluster } from './sampling.service.ts'

const sandbox = await startSandbox()
const address = parseKubeconfig(readFileSync(sandbox.kubeconfig, 'utf8'))
const kube = openKube({ admit: async () => ({ addresses: [{ address: '127.0.0.1', family: 4 }] }) })
const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const app = await testApp({ ports: { kube, prometheus: createPrometheus(outbound) } })
afterAll(async () => {
  await outbound.close()
  await kube.close()
  await sandbox.stop()
})

const minute = 60_000
const direct = kube.cluster('direct', address).kube
type Team = Awaited<ReturnType<typeof app.team>>
let mine: Team
let theirs: Team
let env = ''
const made = new Map<string, { stack: number; service: number; namespace: string }>()

async function newEnvironment(name: string, sealed = seal(app.ctx(), JSON.stringify(address))): Promise<string> {
  const { uuid } = await app.db
    .insertInto('environment')
    .values({ name, server: address.server, address: sealed })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  return uuid
}

/** A stack with one service whose pods run in the sandbox. */
async function deploy(team: Team, name: string, replicas: number): Promise<void> {
  const namespace = `${team.name}-${name}`
  const { id: stack } = await app.db
    .insertInto('stack')
    .values({ team_id: team.id, environment: env, name, namespace, actor: 'admin', state: 'running' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: service } = await app.db
    .insertInto('service')
    .values({ stack_id: stack, name: 'web', state: 'stable', spec: jsonb({}), actor: 'admin' })
    .returning('id')
    .executeTakeFirstOrThrow()
  made.set(name, { stack, service, namespace })
  await direct.create(kinds.namespaces, { metadata: { name: namespace } })
  const labels = { web: name }
  await direct.create(kinds.deployments, {
    metadata: { name: 'web', namespace },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'registry.example.test/web:1' }] } },
    },
  })
  await vi.waitFor(
    async () => {
      const { items } = await direct.list(kinds.podMetrics, { namespace })
      expect(items).toHaveLength(replicas)
    },
    { timeout: 10_000, interval: 50 },
  )
}

beforeAll(async () => {
  await keepPartitions(app.db, Date.now())
  mine = await app.team('mine')
  theirs = await app.team('theirs')
  env = await newEnvironment('lab')
  for (const team of [mine, theirs])
    await app.db.insertInto('environment_team').values({ environment: env, team_id: team.id }).execute()
  await deploy(mine, 'shop', 2)
  await deploy(theirs, 'bank', 1)
  await sampleAll(app.ctx())
})

const of = (name: string) => {
  const found = made.get(name)
  if (!found) throw new Error(name)
  return found
}
const ask = (team: Team, expression: Expression, query: object = {}) =>
  team.leader.call(monitoring.query, { params: { tenant: team.id, env, expression }, query })
const figures = (series: { dps: [number, number | null][] }) =>
  series.dps.flatMap(([, value]) => (value === null ? [] : [value]))

describe('what the product samples', () => {
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

  test('a service is the sum of its containers', async () => {
    const { service, namespace } = of('shop')
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

  test('the minutes without a sample are gaps', async () => {
    const { series } = await ask(mine, 'cluster_cpu_usage', { type: 'MINUTE', duration: 30 })
    const values = series[0]!.dps.map(([, value]) => value)
    expect(values.length).toBeGreaterThan(29)
    expect(values.slice(0, 20).every((value) => value === null)).toBe(true)
    expect(values.at(-1)).not.toBeNull()
  })

  test('written again, and by another replica, nothing is doubled', async () => {
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
})

describe('57: who sees what', () => {
  const raw = (path: string, as = mine.leader) =>
    as.raw({ method: 'GET', url: `/monitor-metrics/api/tenants/${mine.id}/environments/${env}/${path}` })

  test.each([
    ['a query instead of a name', encodeURIComponent('sum(rate(container_cpu_usage_seconds_total[5m]))'), 400],
    ['a name and more', 'container_cpu_usage%22%7D%20or%20vector(1)', 400],
    ['a matcher as a namespace', `container_cpu_usage?namespace=${encodeURIComponent('x"} or vector(1)')}`, 400],
    ['a pattern as a pod', `container_cpu_usage?pod=${encodeURIComponent('.*')}`, 400],
    ['a pattern as a host', `host_cpu_usage?host=${encodeURIComponent('a|b')}`, 400],
    ['a label of its own', 'container_cpu_usage?cluster=east', 400],
    ['another team’s namespace', 'container_cpu_usage?namespace=theirs-bank', 404],
    ['the cluster’s own namespace', 'namespace_cpu_usage?namespace=kube-system', 404],
    ['a service of nobody', 'service_cpu_usage?service=99999', 404],
    ['no service', 'service_cpu_usage', 400],
    ['an end before the start', 'cluster_cpu_usage?start=2000000000&end=1000000000', 400],
    ['no number', 'cluster_cpu_usage?start=NaN', 400],
    ['a unit of its own', 'cluster_cpu_usage?type=CENTURY', 400],
  ])('%s', async (_, path, status) => {
    expect((await raw(path)).statusCode).toBe(status)
  })

  test('another team’s service, pods and containers stay its own', async () => {
    const { service, namespace } = of('bank')
    await expect(ask(mine, 'service_cpu_usage', { service })).rejects.toMatchObject({ status: 404 })
    await expect(ask(mine, 'container_cpu_usage', { service })).rejects.toMatchObject({ status: 404 })
    await expect(ask(mine, 'container_cpu_usage', { service: of('shop').service, namespace })).rejects.toMatchObject({
      status: 404,
    })
    const [foreign] = (await ask(theirs, 'container_cpu_usage')).series
    expect(foreign?.metric['namespace']).toBe(namespace)
    expect((await ask(mine, 'container_cpu_usage', { pod: foreign!.metric['pod'] })).series).toEqual([])
    const all = await ask(mine, 'container_cpu_usage')
    expect(new Set(all.series.map(({ metric }) => metric['namespace']))).toEqual(new Set([of('shop').namespace]))
  })

  test('a team that may not use the cluster does not learn of it', async () => {
    const stranger = await app.team()
    for (const expression of ['cluster_cpu_usage', 'container_cpu_usage'] as const)
      await expect(ask(stranger, expression)).rejects.toMatchObject({ status: 404, key: 'resource-missing' })
    await expect(
      stranger.leader.call(monitoring.ofCluster, { params: { env, metrics: 'cluster_cpu_usage' } }),
    ).rejects.toMatchObject({ status: 404 })
    await expect(ask({ ...mine, leader: stranger.leader }, 'cluster_cpu_usage')).rejects.toMatchObject({ status: 403 })
  })

  test('the permission is asked for, and a team without stacks is told so', async () => {
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

  test('on the page of the cluster members see their own namespaces, administrators all', async () => {
    const look = (as: TestCaller, metrics: Expression, query: object = {}) =>
      as.call(monitoring.ofCluster, { params: { env, metrics }, query })
    const names = async (as: TestCaller) => (await look(as, 'namespace_cpu_usage')).series.map(({ name }) => name)
    const member = await mine.member(['resource_clustermetrics_view'])
    expect(await names(member)).toEqual([of('shop').namespace])
    expect(await names(app.admin)).toEqual([of('shop').namespace, of('bank').namespace].toSorted())
    await expect(look(member, 'namespace_cpu_usage', { namespace: of('bank').namespace })).rejects.toMatchObject({
      status: 404,
    })
    await expect(look(member, 'container_cpu_usage')).rejects.toMatchObject({
      status: 400,
      key: 'monitoring-cluster-only',
    })
    await expect(look(await mine.member([]), 'cluster_cpu_usage')).rejects.toMatchObject({ status: 403 })
  })

  test.each(['step=0', 'step=NaN', 'step=-1', 'step=1e9', 'start=2000000000000&end=1000000000000', 'start=-1'])(
    '58: %s is refused',
    async (query) => {
      const url = `/resource-manager/api/environments/${env}/metrics/cluster_cpu_usage?${query}`
      expect((await app.admin.raw({ method: 'GET', url })).statusCode).toBe(400)
    },
  )

  test('57: a year is answered for what is kept, and says so', async () => {
    const start = Date.now() - 365 * 24 * 60 * minute
    const year = await ask(mine, 'cluster_cpu_usage', { type: 'RANGE', start, end: 0 })
    expect(year.series[0]!.dps.length).toBeLessThanOrEqual(500)
    expect(year.notice).toMatch(/31 days.*|8 days/)
    expect(year.end - year.start).toBeLessThanOrEqual(32 * 24 * 60 * minute)
  })
})

describe('containers beyond the cap', () => {
  const on = (container: string, by = mine) =>
    by.leader.call(monitoring.containerOn, {
      params: { t: by.id, e: env, s: of('shop').stack, svc: of('shop').service, i: container },
    })

  test('one that is wished for is found by its pod or its name, and only by its team', async () => {
    const { rows } = await kube.cluster('direct', address).rows('pods', of('shop').namespace, 5000)
    await on(rows[0]!.uid)
    await on(rows[0]!.name)
    await on('web')
    const wishes = await app.db.selectFrom('monitoring_wish').selectAll().execute()
    expect(wishes).toMatchObject([{ service_id: of('shop').service, container: 'web' }])
    await expect(on('nothing')).rejects.toMatchObject({ status: 404 })
    await expect(on('web', theirs)).rejects.toMatchObject({ status: 404 })
    const viewer = { ...mine, leader: await mine.member(['monitor_metrics_view']) }
    await expect(on('web', viewer)).rejects.toMatchObject({ status: 403 })
  })

  test('what is left out says so and what to do', async () => {
    await app.db.deleteFrom('metric_series').where('expression', 'like', 'container%').execute()
    await app.db.updateTable('monitoring_sampling').set({ left_out: 7 }).execute()
    const answer = await ask(mine, 'container_cpu_usage', { service: of('shop').service })
    expect(answer).toMatchObject({ series: [], left: true, notice: expect.stringContaining('not among them') })
    await sampleAll(app.ctx())
    expect(await ask(mine, 'container_cpu_usage', { service: of('shop').service })).toMatchObject({ left: false })
  })
})

describe('a cluster that does not answer', () => {
  test('delays no other, says why, and comes back', async () => {
    const nowhere = { ...address, server: 'https://127.0.0.1:1' }
    const dead = await newEnvironment('dead', seal(app.ctx(), JSON.stringify(nowhere)))
    const broken = await newEnvironment('broken', 'no secret of ours')
    await app.db.insertInto('environment_team').values({ environment: dead, team_id: mine.id }).execute()
    await app.db.deleteFrom('monitoring_sampling').execute()
    await sampleAll(app.ctx())
    const health = (uuid: string) => mine.leader.call(monitoring.health, { params: { tenant: mine.id, env: uuid } })
    expect(await health(env)).toMatchObject({ source: 'sampled', healthy: true, message: '' })
    expect(await health(dead)).toMatchObject({ source: 'none', healthy: false, latest: null })
    expect((await health(dead)).message).toContain('127.0.0.1:1')
    const answer = await mine.leader.call(monitoring.query, {
      params: { tenant: mine.id, env: dead, expression: 'cluster_cpu_usage' },
    })
    expect(answer).toMatchObject({ source: 'none', series: [], notice: expect.stringContaining('127.0.0.1:1') })
    await app.db.deleteFrom('environment').where('uuid', 'in', [dead, broken]).execute()
  })

  test('figures that stopped coming say since when', async () => {
    await app.db
      .updateTable('monitoring_sampling')
      .set({ reason: jsonb({ key: 'monitoring-no-server', vars: {} }) })
      .execute()
    const { notice, series } = await ask(mine, 'cluster_cpu_usage')
    expect(series).toHaveLength(1)
    expect(notice).toMatch(/Nothing was measured after .*metrics server/)
    await sampleAll(app.ctx())
    expect(await ask(mine, 'cluster_cpu_usage')).toMatchObject({ notice: '' })
  })
})

describe('over days', () => {
  const hour = 60 * minute

  test('hours that are over become means of five minutes, once, and answer when the minutes are gone', async () => {
    const now = Math.floor(Date.now() / hour) * hour
    const [sample] = await app.db
      .selectFrom('metric_series')
      .selectAll()
      .where('expression', '=', 'cluster_pods')
      .execute()
    const from = now - 30 * hour
    await keepPartitions(app.db, from)
    const write = (at: number, value: number) =>
      writeSamples(app.db, env, at, [
        { expression: 'cluster_pods', host: '', namespace: '', pod: '', container: '', most: null, value },
      ])
    // 0 to 59, one a minute, but for ten minutes in which nobody measured
    for (let at = 0; at < 60; at++) if (at < 20 || at >= 30) await write(from + at * minute, at)
    expect(await averageHours(app.db, now)).toBeGreaterThan(0)
    expect(await averageHours(app.db, now)).toBe(0)
    const rows = await app.db
      .selectFrom('metric_hour')
      .select('points')
      .where('series', '=', sample!.id)
      .where('hour', '=', new Date(from).toISOString())
      .execute()
    expect(rows).toEqual([{ points: [2, 7, 12, 17, null, null, 32, 37, 42, 47, 52, 57] }])
    await app.db
      .deleteFrom('metric_raw')
      .where('slot', '<', new Date(now - 25 * hour).toISOString())
      .execute()
    const { series } = await ask(mine, 'cluster_pods', { type: 'RANGE', start: from, end: from + hour })
    const [long] = (await ask(mine, 'cluster_pods', { type: 'WEEK', duration: 1 })).series
    expect(figures(series[0]!)).toContain(57)
    expect(series[0]!.dps.some(([, value]) => value === null)).toBe(true)
    expect(figures(long!).length).toBeGreaterThan(1)
  })
})

describe('a Prometheus that takes the sampling’s place', () => {
  let answer: (form: URLSearchParams, authorization: string) => { status: number; body: unknown }
  const asked: { query: string; authorization: string }[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const form = new URLSearchParams(body)
      const authorization = request.headers.authorization ?? ''
      asked.push({ query: form.get('query') ?? '', authorization })
      const { status, body: told } = answer(form, authorization)
      response.writeHead(status).end(JSON.stringify(told))
    })
  })
  const works = (form: URLSearchParams) => ({
    status: 200,
    body: {
      status: 'success',
      data: form.has('step')
        ? {
            resultType: 'matrix',
            result: [{ metric: { pod: 'p', namespace: 'n' }, values: [[Number(form.get('end')), '4']] }],
          }
        : { resultType: 'vector', result: [{ metric: {}, value: [1, '1700000000'] }] },
    },
  })
  let url = ''
  beforeAll(async () => {
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    answer = works
  })
  afterAll(() => server.close())
  const save = (body: object) =>
    app.admin.call(monitoring.setSource, { params: { env }, body: { kind: 'prometheus', url, ...body } })

  test('is asked before it is saved, and its secrets are never told', async () => {
    answer = () => ({ status: 401, body: {} })
    await expect(save({ username: 'ann', password: 'first-secret' })).rejects.toMatchObject({
      key: 'prometheus-credentials',
    })
    expect(await app.admin.call(monitoring.source, { params: { env } })).toMatchObject({ kind: 'sampled' })
    answer = works
    const saved = await save({ username: 'ann', password: 'first-secret' })
    expect(saved).toEqual({ kind: 'prometheus', url, username: 'ann', password: mask, token: '', cluster: '' })
    const row = await app.db.selectFrom('monitoring_source').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain('first-secret')
    await expect(mine.leader.call(monitoring.source, { params: { env } })).rejects.toMatchObject({ status: 403 })
  })

  test('the mask keeps the secret, and only for the same server and user', async () => {
    await save({ username: 'ann', password: mask, cluster: 'east' })
    expect(asked.at(-1)?.authorization).toBe(`Basic ${Buffer.from('ann:first-secret').toString('base64')}`)
    for (const other of [{ username: 'bob' }, { username: 'ann', url: 'http://127.0.0.1:9' }])
      await expect(save({ password: mask, ...other })).rejects.toMatchObject({ key: 'monitoring-secret-again' })
    expect(await app.admin.call(monitoring.source, { params: { env } })).toMatchObject({
      username: 'ann',
      cluster: 'east',
    })
  })

  test('what does not fit is refused at its field', async () => {
    const wrong: [object, string][] = [
      [{ url: '' }, 'url'],
      [{ url: 'ftp://x' }, 'url'],
      [{ url: 'http://a:b@x/' }, 'url'],
      [{ username: 'ann', token: 't' }, 'token'],
      [{ token: 'a b' }, 'token'],
      [{ token: 'a\r\nX-Evil: 1' }, 'token'],
      [{ username: 'a:b' }, 'username'],
    ]
    for (const [body, field] of wrong)
      await expect(save(body)).rejects.toMatchObject({
        status: 400,
        problems: [{ path: expect.stringContaining(field) }],
      })
  })

  test('is asked with the team’s own namespaces and the cluster’s label', async () => {
    const answer = await ask(mine, 'container_cpu_usage', { service: of('shop').service })
    expect(answer).toMatchObject({ source: 'prometheus', notice: '', stepSeconds: 15 })
    expect(answer.series).toMatchObject([
      { name: 'p', type: 'container_cpu_usage', metric: { pod: 'p', namespace: 'n' } },
    ])
    expect(answer.series[0]!.dps.length).toBeGreaterThan(200)
    expect(figures(answer.series[0]!)).toEqual([4])
    const { query } = asked.at(-1)!
    expect(query).toContain(`cluster="east"`)
    expect(query).toContain(`namespace="${of('shop').namespace}"`)
    expect(query).not.toContain(of('bank').namespace)
    await ask(mine, 'namespace_cpu_usage')
    expect(asked.at(-1)?.query).not.toContain(of('bank').namespace)
    const health = await mine.leader.call(monitoring.health, { params: { tenant: mine.id, env } })
    expect(health).toMatchObject({ source: 'prometheus', healthy: true, latest: '2023-11-14T22:13:20.000Z' })
  })

  test('F33: down or refusing, the answer has a gap and a notice, in both languages', async () => {
    answer = () => ({ status: 500, body: 'oh' })
    const broken = await ask(mine, 'cluster_cpu_usage')
    expect(broken).toMatchObject({ source: 'prometheus', series: [], notice: expect.stringContaining('500') })
    const zh = await mine.leader.call(
      monitoring.query,
      { params: { tenant: mine.id, env, expression: 'cluster_cpu_usage' } },
      { 'accept-language': 'zh' },
    )
    expect(zh.notice).toMatch(/\p{Script=Han}/u)
    expect(await mine.leader.call(monitoring.health, { params: { tenant: mine.id, env } })).toMatchObject({
      healthy: false,
      message: expect.stringMatching(/.+/),
    })
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
    const down = await ask(mine, 'cluster_cpu_usage')
    expect(down).toMatchObject({ source: 'prometheus', series: [] })
    expect(down.notice).not.toBe('')
  })

  test('a cluster with a Prometheus is not sampled, and sampled again without', async () => {
    await app.db.deleteFrom('monitoring_sampling').execute()
    await sampleAll(app.ctx())
    expect(await app.db.selectFrom('monitoring_sampling').selectAll().execute()).toEqual([])
    await save({ kind: 'sampled', url: '' })
    await sampleAll(app.ctx())
    expect(await ask(mine, 'cluster_cpu_usage')).toMatchObject({ source: 'sampled', notice: '' })
  })
})
