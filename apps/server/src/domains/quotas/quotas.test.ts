import { compareNames } from '../../kernel/in-order.ts'
import { readFileSync } from 'node:fs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { percentOf, quotas } from '@gantry/contract/quotas/quotas'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseKubeconfig } from '../../adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../../adapters/kube/transport/pool.ts'
import * as kinds from '../../adapters/kube/resources.ts'
import { seal } from '../../kernel/secrets/secrets.ts'
import { admitLocal } from '../../../test/kube-api.ts'
import { startSandbox } from '../../../test/sandbox.ts'
import { testApp, type TestCaller } from '../../../test/test-app.ts'
import { compareShares } from '../stacks/stacks/shares.service.ts'

const sandbox = await startSandbox()
const kubeconfig = readFileSync(sandbox.kubeconfig, 'utf8')
const kube = openKube({ admit: admitLocal })
const app = await testApp({ ports: { kube } })
const replica = await testApp({ ports: { kube }, beside: app })
afterAll(async () => {
  await kube.close()
  await sandbox.stop()
})

const direct = kube.cluster('direct', parseKubeconfig(kubeconfig)).kube

type Team = Awaited<ReturnType<typeof app.team>>
let envUuid = ''
let team: Team
let made = 0

beforeAll(async () => {
  team = await app.team()
  const { uuid } = await app.admin.call(clusters.create, { body: { name: 'sandbox', kubeconfig } })
  envUuid = uuid
})

/** A team that may use the cluster, with a quota there. */
async function teamWith(cpu: number | null, memory: number | null = null, env = envUuid): Promise<Team> {
  const one = await app.team()
  await app.admin.call(clusters.assign, { params: { env }, query: { tenant: one.id } })
  if (cpu !== null || memory !== null) await set(one, cpu, memory)
  return one
}
const set = (of: Team, cpu: number | null, memory: number | null = null, who: TestCaller = app.admin) =>
  who.call(quotas.set, { params: { tenant: of.id }, body: { envUuid, hard: { cpu, memory } } })
const quotaOf = (of: Team, who: TestCaller = of.leader) =>
  who.call(quotas.onEnvironment, { params: { teamId: of.id, envId: envUuid } })

const newStack = (of: Team, cpu: number | null, memory: number | null = null, who: TestCaller = of.leader) =>
  who.call(stacks.create, {
    params: { teamId: of.id },
    body: { name: `stack-${++made}`, envId: envUuid, quota: { cpu, memory } },
  })
const settledStack = async (of: Team, cpu: number | null, memory: number | null = null) => {
  const stack = await newStack(of, cpu, memory)
  await eventually(async () => {
    await settle()
    expect(await state(stack.id)).toBe('running')
  })
  return stack
}
const state = async (id: number) =>
  (await app.db.selectFrom('stack').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
const settle = () => app.reconcile()
const hardIn = async (namespace: string) =>
  (await direct.get(kinds.resourceQuotas, { name: 'gantry-share', namespace })).spec?.hard

const deploy = (of: Team, stackId: number, cpu: string, replicas = 1) =>
  of.leader.call(services.create, {
    params: { teamId: of.id, stackId, serviceName: 'web' },
    body: { image: 'registry.example.test/web:1', replicas, resources: { cpu, memory: '64Mi' } },
  })

describe('usage', () => {
  test('is what the cluster counts in the team’s namespaces, with or without a share', async () => {
    const one = await teamWith(null)
    const [shared, free] = [await settledStack(one, 2, 2), await settledStack(one, null)]
    expect(await quotaOf(one)).toMatchObject({ allocated: { cpu: 2, memory: 2 }, used: { cpu: 0, memory: 0 } })
    await deploy(one, shared.id, '0.5', 2)
    await deploy(one, free.id, '0.25')
    await eventually(async () => {
      await settle()
      expect((await quotaOf(one)).used).toEqual({ cpu: 1.25, memory: 0.188 })
    })
    const namespaces = await one.leader.call(quotas.namespaces, { params: { teamId: one.id } })
    expect(namespaces).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: shared.namespace,
          hard: { cpu: 2, memory: 2 },
          used: { cpu: 1, memory: 0.125 },
        }),
        expect.objectContaining({
          name: free.namespace,
          envName: 'sandbox',
          stack: { id: free.id, name: free.name },
          hard: { cpu: null, memory: null },
          used: { cpu: 0.25, memory: 0.0625 },
        }),
      ]),
    )
    const [all] = await one.leader.call(quotas.ofTeam, { params: { teamId: one.id } })
    expect(all?.used?.cpu).toBe(1.25)
  })

  test('is unknown while the cluster does not answer, and the rest is still returned', async () => {
    const one = await app.team()
    const address = JSON.stringify({ server: 'https://127.0.0.1:1', auth: { kind: 'token', token: 'x' } })
    const { uuid } = await app.db
      .insertInto('environment')
      .values({ name: 'dead', server: 'https://127.0.0.1:1', address: seal(app.ctx(), address) })
      .returning('uuid')
      .executeTakeFirstOrThrow()
    await app.db.insertInto('environment_team').values({ environment: uuid, team_id: one.id }).execute()
    await app.db
      .insertInto('stack')
      .values({
        team_id: one.id,
        environment: uuid,
        name: 'x',
        namespace: 'x',
        actor: 'admin',
        cpu: 2,
        state: 'running',
      })
      .execute()
    expect(await one.leader.call(quotas.ofTeam, { params: { teamId: one.id } })).toMatchObject([
      { envName: 'dead', allocated: { cpu: 2, memory: 0 }, used: null },
    ])
    expect(await one.leader.call(quotas.namespaces, { params: { teamId: one.id } })).toMatchObject([{ used: null }])
    await app.db.deleteFrom('stack').where('environment', '=', uuid).execute()
    await app.db.deleteFrom('environment').where('uuid', '=', uuid).execute()
  })
})

describe('lowering a quota', () => {
  test('is refused below the stacks’ shares or below current usage, with the figures', async () => {
    const one = await teamWith(8, 8)
    const stack = await settledStack(one, 4, 2)
    await expect(set(one, 3, 8)).rejects.toMatchObject({ status: 409, key: 'quotas-below-use-cpu' })
    await expect(set(one, 8, 1)).rejects.toThrow(/2 GiB.*1/)
    await deploy(one, stack.id, '2')
    await eventually(async () => {
      await settle()
      expect((await quotaOf(one)).used?.cpu).toBe(2)
    })
    // as if somebody had removed the share outside the product
    await app.db.updateTable('stack').set({ cpu: 0.5 }).where('id', '=', stack.id).execute()
    await expect(set(one, 1, 8)).rejects.toMatchObject({ status: 409, key: 'quotas-below-running-cpu' })
    await expect(set(one, 1, 8)).rejects.toThrow(/using 2 cores.*Free 1/)
    expect(await set(one, 2, 8)).toMatchObject({ hard: { cpu: 2 } })
  })

  test('is refused until every stack has a share of each limited resource', async () => {
    const one = await teamWith(null)
    const stack = await newStack(one, null, 1)
    await expect(set(one, 4, 4)).rejects.toMatchObject({ status: 409, key: 'quotas-unshared-cpu' })
    await expect(set(one, 4, 4)).rejects.toThrow(stack.name)
    expect(await set(one, null, 4)).toMatchObject({ hard: { cpu: null, memory: 4 } })
  })
})

describe('two concurrent changes on two replicas never exceed a quota together', () => {
  /** The same user on the other replica. */
  const beside = ({ leader }: Team) => replica.caller(leader, leader.token)

  test('two stacks, a hundred times', async () => {
    const one = await teamWith(3)
    const { namespace } = await newStack(one, 1)
    for (let round = 0; round < 100; round++) {
      const both = await Promise.allSettled([newStack(one, 2), newStack(one, 1.5, null, beside(one))])
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const refused = both.find((each) => each.status === 'rejected')
      expect(refused?.reason).toMatchObject({ status: 409, key: 'quotas-exceeded-cpu' })
      await app.db.deleteFrom('stack').where('team_id', '=', one.id).where('namespace', '<>', namespace).execute()
    }
  })

  test('a new stack and a lowered quota, a hundred times', async () => {
    const one = await teamWith(4)
    for (let round = 0; round < 100; round++) {
      const [, lowered] = await Promise.allSettled([newStack(one, 3, null, beside(one)), set(one, 2)])
      const { hard, allocated } = await quotaOf(one)
      expect(allocated.cpu).toBeLessThanOrEqual(hard.cpu ?? 0)
      if (lowered.status === 'rejected') expect(lowered.reason).toMatchObject({ status: 409 })
      await app.db.deleteFrom('stack').where('team_id', '=', one.id).execute()
      await set(one, 4)
    }
  })

  test('a share that is lowered and raised, fifty times', async () => {
    const one = await teamWith(4)
    const { name } = await newStack(one, 3)
    const share = (who: TestCaller, cpu: number) =>
      who.call(stacks.setQuota, {
        params: { teamId: one.id, envId: envUuid, stackName: name },
        body: { cpu, memory: null },
      })
    for (let round = 0; round < 50; round++) {
      const [, raised] = await Promise.allSettled([share(one.leader, 1), share(beside(one), 6)])
      expect(raised).toMatchObject({ reason: { status: 409, key: 'quotas-exceeded-cpu' } })
      expect((await quotaOf(one)).allocated.cpu).toBe(1)
      await share(one.leader, 3)
    }
  })

  test('two services in one share, fifty times', async () => {
    const one = await teamWith(2)
    const { id } = await newStack(one, 2)
    const add = (who: TestCaller, serviceName: string) =>
      who.call(services.create, {
        params: { teamId: one.id, stackId: id, serviceName },
        body: { image: 'registry.example.test/web:1', replicas: 1, resources: { cpu: '0.75', memory: '64Mi' } },
      })
    for (let round = 0; round < 50; round++) {
      const both = await Promise.allSettled([add(one.leader, 'a'), add(beside(one), 'b')])
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      await app.db.deleteFrom('service').where('stack_id', '=', id).execute()
    }
  })
})

describe('the quota of a namespace stays equal to the share', () => {
  const bounded = { 'limits.cpu': '2', 'limits.memory': '1Gi', 'count/pods': '1k' }

  test('whatever is changed in the cluster', async () => {
    const one = await teamWith(4, 4)
    const { namespace, id, name } = await settledStack(one, 2, 1)
    expect(await hardIn(namespace)).toMatchObject({ 'limits.cpu': expect.stringMatching(/^(2|2000m)$/) })
    const ref = { name: 'gantry-share', namespace }
    const drifts = [
      () => direct.merge(kinds.resourceQuotas, ref, { spec: { hard: { 'limits.cpu': '64' } } }),
      () => direct.merge(kinds.resourceQuotas, ref, { spec: { hard: { 'limits.memory': null } } }),
      () => direct.merge(kinds.resourceQuotas, ref, { spec: { hard: { 'requests.cpu': '1' } } }),
      () => direct.remove(kinds.resourceQuotas, ref),
    ]
    for (const drift of drifts) {
      await drift()
      await compareShares(app.ctx())
      const hard = await hardIn(namespace)
      expect(Object.keys(hard ?? {}).toSorted()).toEqual(Object.keys(bounded).toSorted())
      expect(hard).toMatchObject({ 'limits.cpu': expect.stringMatching(/^(2|2000m)$/) })
    }
    const rows = await app.db
      .selectFrom('audit_log')
      .select(['url', 'object'])
      .where('action', '=', 'stack.set-quota')
      .where('url', '=', 'stacks-shares')
      .where('object', '=', name)
      .execute()
    expect(rows).toHaveLength(drifts.length)
    expect(await state(id)).toBe('running')
  })
})

describe('viewing and setting quotas', () => {
  const all = (query: object, who: TestCaller = app.admin) => who.call(quotas.all, { query })

  test('administrators see those of all teams, paged, filtered and sorted by the server', async () => {
    const [small, large] = [await teamWith(10), await teamWith(10)]
    await newStack(small, 1)
    await newStack(large, 9)
    const whole = await all({ envUuid, pageSize: 1000 })
    const pairs = whole.items.map((row) => row.team.name)
    expect(pairs).toEqual(pairs.toSorted(compareNames))
    expect(whole.totalSize).toBe(pairs.length)
    const byShare = (await all({ envUuid, sort: '-cpu', pageSize: 1000 })).items
    const two = byShare.filter(({ team }) => team.id === small.id || team.id === large.id)
    expect(two).toMatchObject([
      { team: { id: large.id }, hard: { cpu: 10 }, allocated: { cpu: 9 } },
      { team: { id: small.id }, hard: { cpu: 10 }, allocated: { cpu: 1 } },
    ])
    const [third] = (await all({ envUuid, pageSize: 1, requestPage: 3 })).items
    expect(third?.team.name).toBe(pairs[2])
    expect((await all({ keyword: small.name })).items.map((row) => row.team.id)).toContain(small.id)
    expect((await all({ keyword: 'no such team' })).items).toEqual([])
    await expect(all({ sort: 'colour' })).rejects.toMatchObject({ status: 400 })
    await expect(all({}, team.leader)).rejects.toMatchObject({ status: 403 })
  })

  test('other teams’ quotas are refused to everybody else', async () => {
    const other = await teamWith(2)
    for (const who of [team.leader, await app.user()]) {
      await expect(quotaOf(other, who)).rejects.toMatchObject({ status: 403, key: 'user-team' })
      await expect(who.call(quotas.ofTeam, { params: { teamId: other.id } })).rejects.toMatchObject({ status: 403 })
      await expect(who.call(quotas.namespaces, { params: { teamId: other.id } })).rejects.toMatchObject({ status: 403 })
      await expect(set(other, 1, null, who)).rejects.toMatchObject({ status: 403 })
    }
    await expect(set(other, 1, null, other.leader)).rejects.toMatchObject({ status: 403 })
    await expect(
      app.admin.call(quotas.set, { params: { tenant: 2_000_000 }, body: { envUuid, hard: { cpu: 1, memory: 1 } } }),
    ).rejects.toMatchObject({ status: 404 })
    await expect(set(team, 1)).rejects.toMatchObject({ status: 404 })
    await expect(set(other, -1)).rejects.toMatchObject({ status: 400 })
  })
})

test('labels list the zones and storage drivers of a cluster, the default driver first', async () => {
  const one = await teamWith(null)
  const params = { envUuid }
  expect(await one.leader.call(quotas.networkLabels, { params })).toEqual([])
  await direct.create(kinds.storageClasses, { metadata: { name: 'archive' }, provisioner: 'example.test/none' })
  expect(await one.leader.call(quotas.storageLabels, { params })).toEqual([
    { name: 'sandbox', label: 'sandbox' },
    { name: 'archive', label: 'archive' },
  ])
  await expect(team.leader.call(quotas.storageLabels, { params })).rejects.toMatchObject({ status: 404 })
})

test.each([
  [1, 2, 50],
  [1, 3, 33],
  [2, 3, 67],
  [0, 5, 0],
  [5, 0, 0],
  [-1, 5, 0],
  [Number.NaN, 5, 0],
  [null, 5, 0],
  [undefined, 5, 0],
  [5, null, 0],
  [5, undefined, 0],
  [6, 5, 120],
] as const)('percent of %s in %s is %s', (used, total, percent) => {
  expect(percentOf(used, total)).toBe(percent)
})
