import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitoring, type Expression } from '@gantry/contract/monitoring/metrics'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportKube } from '../../../../test/kube-exporter.ts'
import { labService } from '../../../../test/lab.ts'
import { testApp } from '../../../../test/test-app.ts'
import { createOutbound } from '../../../adapters/outbound/outbound.ts'
import { createPrometheus } from '../../../adapters/prometheus/prometheus.ts'
import { jsonb } from '../../../db/json.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'

const lab = labService('prometheus')
const url = lab?.['PROMETHEUS_URL'] ?? ''

describe.skipIf(lab === undefined)('metrics of a real Prometheus (needs the lab)', async () => {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  const app = await testApp({ ports: { prometheus: createPrometheus(outbound) } })
  let exported: Awaited<ReturnType<typeof exportKube>>
  let team: Awaited<ReturnType<typeof app.team>>
  let env = ''
  let service = 0
  let namespace = ''
  const gib = 2 ** 30

  /** A proxy in front of Prometheus that requires a password and can be slow. */
  const door = { slow: false, asked: 0 }
  const guard = createServer((incoming, outgoing) => {
    const { authorization } = incoming.headers
    const basic = `Basic ${Buffer.from('ann:secret').toString('base64')}`
    if (authorization !== basic && authorization !== 'Bearer token-of-ann') {
      outgoing.writeHead(401).end()
      return
    }
    door.asked += 1
    if (door.slow) return
    const passed = forward(new URL(incoming.url ?? '/', url), { method: incoming.method, headers: incoming.headers })
    passed.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(passed)
  })
  let guarded = ''

  const save = (body: object) =>
    app.admin.call(monitoring.setSource, {
      params: { env },
      body: { kind: 'prometheus', url, cluster: exported.cluster, ...body },
    })
  const ask = (expression: Expression, query: object = {}, who = team.leader) =>
    who.call(monitoring.query, {
      params: { tenant: team.id, env, expression },
      query: { type: 'MINUTE', duration: 5, ...query },
    })
  /** The last figure of each series, by name. */
  async function last(expression: Expression, query: object = {}): Promise<Record<string, number>> {
    const { series, notice } = await ask(expression, query)
    expect({ expression, notice }).toEqual({ expression, notice: '' })
    return Object.fromEntries(
      series.flatMap(({ name, dps }) => {
        const value = dps.findLast(([, one]) => one !== null)?.[1]
        return value === null || value === undefined ? [] : [[name, value]]
      }),
    )
  }

  beforeAll(async () => {
    await new Promise<void>((ready) => guard.listen(0, '127.0.0.1', ready))
    guarded = `http://127.0.0.1:${(guard.address() as AddressInfo).port}`
    team = await app.team()
    namespace = `${team.name}-shop`
    const { uuid } = await app.db
      .insertInto('environment')
      .values({ name: 'lab', server: 'https://lab.example.test', address: seal(app.ctx(), '{}') })
      .returning('uuid')
      .executeTakeFirstOrThrow()
    env = uuid
    await app.db.insertInto('environment_team').values({ environment: env, team_id: team.id }).execute()
    const stack = await app.db
      .insertInto('stack')
      .values({ team_id: team.id, environment: env, name: 'shop', namespace, actor: 'admin', state: 'running' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const made = await app.db
      .insertInto('service')
      .values({ stack_id: stack.id, name: 'web', state: 'stable', spec: jsonb({}), actor: 'admin' })
      .returning('id')
      .executeTakeFirstOrThrow()
    service = made.id
    const web = { namespace, container: 'web', cores: 0.5, memory: gib }
    exported = await exportKube(lab?.['PROMETHEUS_TARGETS_DIR'] ?? '', {
      nodes: [
        { name: 'node-a', cores: 2, memory: 8 * gib },
        { name: 'node-b', cores: 4, memory: 16 * gib },
      ],
      pods: [
        { ...web, pod: 'web-7d9f8c6b5-x2x4q' },
        { ...web, pod: 'web-7d9f8c6b5-bcdfg', cores: 0.25 },
        { ...web, pod: 'web-api-7d9f8c6b5-x2x4q', container: 'web-api', cores: 1 },
        { ...web, pod: 'web-7d9f8c6b5-zzzzz', namespace: 'another-team' },
      ],
    })
    await save({})
    await eventually(() => expect(exported.caughtUp()).toBe(true), undefined, { ms: 60_000, everyMs: 250 })
  })
  afterAll(async () => {
    exported.stop()
    guard.closeAllConnections()
    guard.close()
    await outbound.close()
  })

  const about = (values: Record<string, number>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, expect.closeTo(value, value > 100 ? -2 : 1)]),
    )

  test('the cluster and its hosts are measured, by the hosts’ own names', async () => {
    expect(await last('cluster_cpu_usage')).toEqual(about({ lab: 3 }))
    expect(await last('cluster_cpu_percent')).toEqual(about({ lab: 50 }))
    expect(await last('cluster_memory_usage')).toEqual({ lab: 18 * gib })
    expect(await last('cluster_memory_percent')).toEqual({ lab: 75 })
    expect(await last('cluster_pods')).toEqual({ lab: 14 })
    expect(await last('host_cpu_usage')).toEqual(about({ 'node-a': 1, 'node-b': 2 }))
    expect(await last('host_cpu_percent', { host: 'node-a' })).toEqual(about({ 'node-a': 50 }))
    expect(await last('host_memory_usage')).toEqual({ 'node-a': 6 * gib, 'node-b': 12 * gib })
    expect(await last('host_memory_percent', { host: 'node-b' })).toEqual({ 'node-b': 75 })
    expect(await last('host_disk_percent')).toEqual(about({ 'node-a': 80, 'node-b': 80 }))
    expect(await last('host_network_receive')).toEqual(about({ 'node-a': 1000, 'node-b': 1000 }))
    expect(await last('host_network_transmit', { host: 'node-a' })).toEqual(about({ 'node-a': 500 }))
  })

  test('a service has its own pods, not those of one with a longer name or of another team', async () => {
    expect(await last('service_cpu_usage', { service })).toEqual(about({ web: 0.75 }))
    expect(await last('service_memory_usage', { service })).toEqual({ web: 2 * gib })
    const pods = { 'web-7d9f8c6b5-bcdfg': gib, 'web-7d9f8c6b5-x2x4q': gib }
    expect(await last('container_memory_usage', { service })).toEqual(pods)
    expect(await last('container_memory_usage', { service, pod: 'web-7d9f8c6b5-x2x4q', container: 'web' })).toEqual({
      'web-7d9f8c6b5-x2x4q': gib,
    })
    const names = Object.keys(pods)
    for (const expression of ['container_network_receive', 'container_network_transmit'] as const)
      expect(Object.keys(await last(expression, { service }))).toEqual(names)
    expect(await last('container_disk_read', { service })).toEqual(about(Object.fromEntries(names.map((n) => [n, 50]))))
    expect(await last('container_disk_write', { service })).toEqual(
      about(Object.fromEntries(names.map((n) => [n, 25]))),
    )
    expect(await last('namespace_memory_usage')).toEqual({ [namespace]: 3 * gib })
    expect(await last('namespace_cpu_usage')).toEqual(about({ [namespace]: 1.75 }))
    expect((await ask('container_cpu_usage', { service, pod: 'web-7d9f8c6b5-zzzzz' })).series).toEqual([])
  })

  test('the time before the measuring began is a gap', async () => {
    const { series, stepSeconds } = await ask('cluster_pods', { duration: 60 })
    const values = series[0]?.dps.map(([, value]) => value) ?? []
    expect(stepSeconds).toBe(15)
    expect(values.slice(0, 60).every((value) => value === null)).toBe(true)
    expect(values.at(-1)).toBe(14)
  })

  test('a year takes one bounded query', async () => {
    const year = await ask('cluster_pods', { type: 'RANGE', start: Date.now() - 365 * 86_400_000 })
    expect(year.series[0]?.dps.length ?? 0).toBeLessThanOrEqual(500)
    expect(year.notice).toContain('31 days')
  })

  test('the label of another cluster finds nothing, and the notice says what is missing', async () => {
    await save({ cluster: 'x"} or vector(1)' })
    expect(await ask('cluster_pods')).toMatchObject({ series: [], notice: expect.stringContaining('kube-prometheus') })
    const health = await team.leader.call(monitoring.health, { params: { tenant: team.id, env } })
    expect(health).toMatchObject({ source: 'prometheus', healthy: false, latest: null })
    await save({})
    const well = await team.leader.call(monitoring.health, { params: { tenant: team.id, env } })
    expect(well).toMatchObject({ healthy: true, message: '' })
    expect(Date.now() - Date.parse(well.latest ?? '')).toBeLessThan(60_000)
  })

  test('wrong credentials are refused before they are saved, and right ones are sent', async () => {
    await expect(save({ url: guarded })).rejects.toMatchObject({ key: 'prometheus-credentials' })
    await expect(save({ url: guarded, username: 'ann', password: 'guess' })).rejects.toMatchObject({
      key: 'prometheus-credentials',
    })
    await save({ url: guarded, token: 'token-of-ann' })
    expect(await last('cluster_pods')).toEqual({ lab: 14 })
    await save({ url: guarded, username: 'ann', password: 'secret' })
    expect(await last('cluster_pods')).toEqual({ lab: 14 })
  })

  test('with a slow Prometheus one call is made within the time limit, the answer has a gap and a notice, and Prometheus is then left alone', async () => {
    door.slow = true
    const before = door.asked
    const slow = await Promise.all(
      ['cluster_pods', 'cluster_cpu_usage', 'cluster_memory_usage'].map((one) => ask(one as Expression)),
    )
    expect(door.asked).toBe(before + slow.length)
    for (const answer of slow) expect(answer).toMatchObject({ source: 'prometheus', series: [] })
    expect(slow[0]?.notice).toContain('takes too long')
    expect((await ask('cluster_pods', {}, app.admin)).notice).toContain('are paused')
    expect(door.asked).toBe(before + slow.length)
    door.slow = false
    await eventually(async () => expect(await last('cluster_pods')).toEqual({ lab: 14 }), undefined, { everyMs: 250 })
  })

  test('with an unreachable Prometheus the page still gets an answer', async () => {
    guard.closeAllConnections()
    await new Promise((closed) => guard.close(closed))
    expect(await ask('host_cpu_percent')).toMatchObject({
      series: [],
      notice: expect.stringContaining('not responding properly'),
    })
    expect((await ask('host_cpu_percent', {}, app.admin)).notice).toContain('127.0.0.1')
  })
})
