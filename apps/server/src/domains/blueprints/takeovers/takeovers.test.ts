import { takeovers } from '@gantry/contract/blueprints/takeovers'
import { drift } from '@gantry/contract/stacks/drift'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { beforeAll, expect, test } from 'vitest'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { tenWorkloads } from '../../../../test/ten-workloads.ts'
import { refusalOf } from '../../../../test/test-app.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const { app, direct, newEnvironment } = await sandboxApp()
let team: Awaited<ReturnType<typeof app.team>>
let envId = ''
beforeAll(async () => {
  team = await app.team()
  envId = (await newEnvironment('one', team)).uuid
})

const ten = tenWorkloads('registry.example.test/web:1')

const pods = async (namespace: string) => (await direct.list(kinds.pods, { namespace })).items
const uidsOf = async (namespace: string) => (await pods(namespace)).map(({ metadata }) => metadata?.uid).sort()

async function found(namespace: string, more: (namespace: string) => Promise<unknown> = async () => undefined) {
  await direct.create(kinds.namespaces, { metadata: { name: namespace } })
  await ten.make(direct, namespace)
  await more(namespace)
  const running = ['web', 'api', 'worker', 'cache', 'site']
  await eventually(
    () => Promise.all(running.map((name) => direct.get(kinds.deployments, { name, namespace }))),
    (all) =>
      all.every(
        ({ spec, status }) =>
          status?.availableReplicas === spec?.replicas && status?.updatedReplicas === spec?.replicas,
      ),
  )
  await eventually(
    () => Promise.all(['db', 'queue'].map((name) => direct.get(kinds.statefulSets, { name, namespace }))),
    (all) => all.every(({ status }) => status?.readyReplicas === 2 && status.updatedReplicas === 2),
  )
  await eventually(
    () => Promise.all(['agent', 'collector'].map((name) => direct.get(kinds.daemonSets, { name, namespace }))),
    (all) =>
      all.every(
        ({ status }) => (status?.numberReady ?? 0) > 0 && status?.numberReady === status?.desiredNumberScheduled,
      ),
  )
}

const params = () => ({ t: team.id, appId: 'none' as const })
const check = (namespace: string, stackName: string, take?: string[]) =>
  app.admin.call(takeovers.check, { params: params(), body: { envId, namespace, stackName, ...(take && { take }) } })
const takeOver = (namespace: string, stackName: string, take: string[]) =>
  app.admin.call(takeovers.takeOver, { params: params(), body: { envId, namespace, stackName, take } })
const listed = async (uuid: string) =>
  (
    await team.leader.call(services.list, {
      params: { teamId: team.id, envId, uuid },
      query: { pageSize: -1 },
    })
  ).items
const settled = (uuid: string) =>
  eventually(
    async () => {
      await app.reconcile()
      return listed(uuid)
    },
    (all) => all.length > 0 && all.every(({ state }) => state === 'stable' || state === 'failed'),
  )
const one = (id: number) => ({ params: { teamId: team.id, envId, id } })

test('ten workloads become services without replacing a pod', async () => {
  await found('shop')
  const before = await uidsOf('shop')
  const plan = await check('shop', 'shop')
  expect(plan.workloads.map(({ name, wrong, lost }) => [name, wrong, lost])).toEqual(
    ['api', 'cache', 'site', 'web', 'worker', 'db', 'queue', 'agent', 'collector', 'nightly'].map((name) => [
      name,
      [],
      [],
    ]),
  )
  expect(plan.plan?.refusals).toEqual([])
  expect(plan.stays).toEqual([
    'Service db-peers: stays, and goes on leading to the same pods',
    'Service front: stays, and goes on leading to the same pods',
  ])
  expect(plan.workloads.find(({ name }) => name === 'web')?.document).not.toContain('tidal-cobalt-47')
  expect(await uidsOf('shop')).toEqual(before)

  const stack = await takeOver('shop', 'shop', plan.take)
  expect(stack).toMatchObject({ name: 'shop', namespace: 'shop' })
  const all = await settled(stack.uuid)
  expect(all.map(({ name, state }) => [name, state])).toEqual(ten.names.map((name) => [name, 'stable']))
  expect(await uidsOf('shop')).toEqual(before)

  const ids = new Map(all.map(({ name, id }) => [name, String(id)]))
  for (const pod of await pods('shop'))
    expect(pod.metadata?.labels).toMatchObject({
      [labels.service]: ids.get(pod.metadata?.labels?.['app'] ?? ''),
      [labels.stack]: stack.uuid,
    })
  const web = all.find(({ name }) => name === 'web')
  expect(await team.leader.call(services.get, one(web?.id ?? 0))).toMatchObject({
    spec: {
      ports: [{ port: 8080, protocol: 'TCP' }],
      files: [{ path: '/etc/conf/colour', content: 'blue' }],
    },
    ready: 2,
  })
  expect(await team.leader.call(drift.get, one(web?.id ?? 0))).toEqual({ settled: false, fields: [] })
  const deployment = await direct.get(kinds.deployments, { name: 'web', namespace: 'shop' })
  expect(deployment.spec?.paused).toBeUndefined()
  const sets = await direct.get(kinds.statefulSets, { name: 'db', namespace: 'shop' })
  expect(sets.spec?.updateStrategy?.type).toBe('RollingUpdate')
}, 60_000)

test('a taken-over service is upgraded like any other, and loses what its document omits', async () => {
  await found('bakery')
  const { take } = await check('bakery', 'bakery')
  const stack = await takeOver('bakery', 'bakery', take)
  const all = await settled(stack.uuid)
  for (const name of ['web', 'db', 'agent', 'cache']) {
    const id = all.find((service) => service.name === name)?.id ?? 0
    const { spec } = await team.leader.call(services.get, one(id))
    const environment = spec.environment.filter((variable) => variable.name !== 'OLD')
    await team.leader.call(services.upgrade, {
      ...one(id),
      body: { ...spec, environment, image: 'registry.example.test/web:2' },
    })
    const { state } = await eventually(
      async () => {
        await app.reconcile()
        return team.leader.call(services.get, one(id))
      },
      ({ state }) => state !== 'upgrading',
    )
    expect(['upgraded', 'stable']).toContain(state)
  }
  const namespace = 'bakery'
  const web = await direct.get(kinds.deployments, { name: 'web', namespace })
  const template = web.spec?.template
  expect(template?.spec?.containers.map(({ name, image }) => [name, image])).toEqual([
    ['web', 'registry.example.test/web:2'],
  ])
  expect(template?.spec?.containers[0]?.env?.map(({ name }) => name)).toEqual(['COLOUR', 'PASSWORD'])
  expect(template?.spec?.volumes?.map(({ name }) => name)).not.toContain('conf')
  expect(web.spec?.selector).toEqual({ matchLabels: { app: 'web' } })
  // others still reach it at its old port, and also at its own
  const address = await direct.get(kinds.services, { name: 'web', namespace })
  expect(address.spec?.ports?.map(({ name, port, targetPort }) => [name, port, targetPort])).toEqual(
    expect.arrayContaining([
      ['www', 80, 8080],
      ['tcp-8080', 8080, 8080],
    ]),
  )
  expect((await pods(namespace)).filter(({ metadata }) => metadata?.labels?.['app'] === 'web').length).toBeGreaterThan(
    0,
  )
  const budget = await direct.get(kinds.disruptionBudgets, { name: 'cache', namespace })
  expect(budget.spec).toMatchObject({ maxUnavailable: 1 })
  expect(budget.spec?.minAvailable).toBeUndefined()
  const db = await direct.get(kinds.statefulSets, { name: 'db', namespace })
  expect(db.spec).toMatchObject({ serviceName: 'db-peers', podManagementPolicy: 'OrderedReady' })
}, 60_000)

test('objects without an equivalent are listed, and workloads that cannot be taken over are refused with the cause', async () => {
  const namespace = 'market'
  const of = (name: string, labelled: object, container: object, more: object = {}) => ({
    metadata: { name, namespace },
    spec: {
      selector: { matchLabels: labelled },
      template: {
        metadata: { labels: labelled },
        spec: { containers: [{ name, image: 'registry.example.test/web:1', ...container }] },
      },
      ...more,
    },
  })
  await direct.create(kinds.namespaces, { metadata: { name: namespace } })
  await direct.create(kinds.deployments, of('host', { app: 'host' }, { stdin: true }) as never)
  await direct.create(
    kinds.deployments,
    of('chart', { 'app.kubernetes.io/name': 'nginx' }, {}, { replicas: 0 }) as never,
  )
  await direct.create(kinds.deployments, of('still', { app: 'still' }, {}, { paused: true, replicas: 0 }) as never)
  await direct.create(
    kinds.statefulSets,
    of(
      'slow',
      { app: 'slow' },
      {},
      {
        replicas: 0,
        serviceName: 'slow',
        updateStrategy: { type: 'OnDelete' },
      },
    ) as never,
  )
  await direct.create(kinds.services, {
    metadata: { name: 'host', namespace },
    spec: { type: 'NodePort', selector: { app: 'host' }, ports: [{ port: 80 }] },
  })
  await eventually(async () =>
    expect(await direct.get(kinds.deployments, { name: 'host', namespace })).toMatchObject({
      status: { observedGeneration: 1, updatedReplicas: 1 },
    }),
  )
  const { workloads, take, plan } = await check(namespace, 'market')
  const by = Object.fromEntries(workloads.map(({ name, wrong, lost }) => [name, { wrong, lost }]))
  expect(by['host']?.lost.join()).toContain('stdin has no place')
  expect(by['host']?.wrong.join()).toContain('type: NodePort')
  expect(by['chart']?.wrong.join()).toContain('app.kubernetes.io/name=nginx')
  expect(by['still']?.wrong.join()).toContain('paused')
  expect(by['slow']?.wrong.join()).toContain('replaced by hand')
  expect(take).toEqual([])
  expect(plan).toBeNull()
  expect(await refusalOf(takeOver(namespace, 'market', ['host']))).toMatchObject({
    status: 409,
    key: 'takeovers-refused',
  })
  expect(await refusalOf(takeOver(namespace, 'market', ['nobody']))).toMatchObject({
    status: 400,
    key: 'takeovers-workload-unknown',
  })
  const { items } = await team.leader.call(stacks.list, { params: { teamId: team.id, envId }, query: {} })
  expect(items.map(({ name }) => name)).not.toContain('market')
})

test('only namespaces that no stack owns are offered, and each is taken over once', async () => {
  for (const name of ['empty', 'twice']) await direct.create(kinds.namespaces, { metadata: { name } })
  await direct.create(kinds.cronJobs, {
    metadata: { name: 'nightly', namespace: 'twice' },
    spec: {
      schedule: '0 3 * * *',
      concurrencyPolicy: 'Forbid',
      jobTemplate: {
        spec: {
          template: {
            spec: { restartPolicy: 'Never', containers: [{ name: 'nightly', image: 'registry.example.test/web:1' }] },
          },
        },
      },
    },
  })
  const names = async () =>
    (
      await app.admin.call(takeovers.namespaces, { params: { teamId: team.id, envId }, query: { pageSize: -1 } })
    ).items.map(({ name, workloads }) => [name, workloads])
  expect(await names()).toEqual(
    expect.arrayContaining([
      ['empty', 0],
      ['twice', 1],
    ]),
  )
  expect((await names()).map(([name]) => name)).not.toEqual(expect.arrayContaining(['kube-system']))
  expect(await refusalOf(check('kube-system', 'system'))).toMatchObject({ key: 'takeovers-namespace-kept' })
  expect(await refusalOf(check('empty', 'empty'))).toMatchObject({ key: 'takeovers-namespace-empty' })
  expect(await refusalOf(check('nowhere', 'nowhere'))).toMatchObject({ key: 'takeovers-namespace-missing' })
  const both = await Promise.allSettled([
    takeOver('twice', 'first', ['nightly']),
    takeOver('twice', 'second', ['nightly']),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await refusalOf(takeOver('twice', 'third', ['nightly']))).toMatchObject({
    key: 'takeovers-namespace-taken',
  })
  await expect(
    team.leader.call(takeovers.takeOver, {
      params: params(),
      body: { envId, namespace: 'twice', stackName: 'x', take: ['nightly'] },
    }),
  ).rejects.toMatchObject({ status: 403 })
})
