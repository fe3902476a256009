import { readFileSync } from 'node:fs'
import { monitoring, type Expression } from '@gantry/contract/monitoring/metrics'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openKube } from '../../adapters/kube/pool.ts'
import { parseKubeconfig } from '../../adapters/kube/kubeconfig.ts'
import * as kinds from '../../adapters/kube/resources.ts'
import { startSandbox } from '../../../test/sandbox.ts'
import { testApp } from '../../../test/test-app.ts'
import { jsonb } from '../../db/json.ts'
import { seal } from '../../kernel/secrets.ts'
import { keepPartitions } from './partitions.store.ts'
import { sampleAll, sampleCluster } from './sampling.service.ts'

const sandbox = await startSandbox()
const address = parseKubeconfig(readFileSync(sandbox.kubeconfig, 'utf8'))
const kube = openKube({ admit: async () => ({ addresses: [{ address: '127.0.0.1', family: 4 }] }) })
const app = await testApp({ ports: { kube } })
afterAll(async () => {
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
