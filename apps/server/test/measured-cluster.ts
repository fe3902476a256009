import { monitoring, type Expression } from '@gantry/contract/monitoring/metrics'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, expect } from 'vitest'
import * as kinds from '../src/adapters/kube/resources.ts'
import { createOutbound } from '../src/adapters/outbound/outbound.ts'
import { createPrometheus } from '../src/adapters/prometheus/prometheus.ts'
import { jsonb } from '../src/db/json.ts'
import { keepPartitions } from '../src/domains/monitoring/samples/partitions.store.ts'
import { sampleAll } from '../src/domains/monitoring/samples/sampling.service.ts'
import { seal } from '../src/kernel/secrets/secrets.ts'
import { sandboxApp } from './sandbox-app.ts'

type Team = Awaited<ReturnType<Awaited<ReturnType<typeof sandboxApp>>['app']['team']>>

/** Figures of a series, without gaps. */
export const figures = (series: { dps: [number, number | null][] }) =>
  series.dps.flatMap(([, value]) => (value === null ? [] : [value]))

/**
 * A simulated cluster of two teams, each with a stack of one service `web` (`shop` of two pods, `bank` of one), sampled
 * once. Stopped at the end of the file.
 */
export async function measuredCluster() {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  afterAll(() => outbound.close())
  const { app, kube, address, direct } = await sandboxApp({ prometheus: createPrometheus(outbound) })

  async function newCluster(name: string, sealed = seal(app.ctx(), JSON.stringify(address))): Promise<string> {
    const { uuid } = await app.db
      .insertInto('environment')
      .values({ name, server: address.server, address: sealed })
      .returning('uuid')
      .executeTakeFirstOrThrow()
    return uuid
  }

  const [mine, theirs, env] = [await app.team('mine'), await app.team('theirs'), await newCluster('lab')]
  for (const { id } of [mine, theirs])
    await app.db.insertInto('environment_team').values({ environment: env, team_id: id }).execute()

  /** A stack with one service, whose pods run in the sandbox. */
  async function deploy(team: Team, name: string, replicas: number) {
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
    await direct.create(kinds.namespaces, { metadata: { name: namespace } })
    const labels = { web: name }
    const containers = [{ name: 'web', image: 'registry.example.test/web:1' }]
    await direct.create(kinds.deployments, {
      metadata: { name: 'web', namespace },
      spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
    })
    await eventually(async () => {
      const { items } = await direct.list(kinds.podMetrics, { namespace })
      expect(items).toHaveLength(replicas)
    })
    return { stack, service, namespace }
  }

  await keepPartitions(app.db, Date.now())
  const shop = await deploy(mine, 'shop', 2)
  const bank = await deploy(theirs, 'bank', 1)
  await sampleAll(app.ctx())

  const ask = (team: Team, expression: Expression, query: object = {}) =>
    team.leader.call(monitoring.query, { params: { tenant: team.id, env, expression }, query })

  return { app, kube, address, direct, env, mine, theirs, shop, bank, newEnvironment: newCluster, ask }
}
