import { readFileSync } from 'node:fs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { quotas } from '@gantry/contract/quotas/quotas'
import { containers } from '@gantry/contract/stacks/containers/containers'
import { services } from '@gantry/contract/stacks/services'
import type { ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { stacks } from '@gantry/contract/stacks/stacks'
import { mask } from '@gantry/contract/validators'
import { en } from '@gantry/phrases/en.gen'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { parseKubeconfig } from '../../../adapters/kube/transport/kubeconfig.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { startSandbox } from '../../../../test/sandbox.ts'
import { testApp } from '../../../../test/test-app.ts'
import { stackReconciler } from '../reconcile/reconcile.service.ts'
import { findStack, noteReconciled } from './stacks.store.ts'

const sandbox = await startSandbox()
const kubeconfig = readFileSync(sandbox.kubeconfig, 'utf8')
const kube = openKube({ admit: async () => ({ addresses: [{ address: '127.0.0.1', family: 4 }] }) })
const app = await testApp({ ports: { kube } })
afterAll(async () => {
  await kube.close()
  await sandbox.stop()
})

let envUuid = ''
let team: Awaited<ReturnType<typeof app.team>>
const direct = () => kube.cluster('direct', parseKubeconfig(kubeconfig)).kube

beforeAll(async () => {
  team = await app.team()
  const cluster = await app.admin.call(clusters.create, {
    body: { name: 'sandbox', kubeconfig, teamIds: [team.id] },
  })
  envUuid = cluster.uuid
  expect(cluster).toMatchObject({ health: 'healthy' })
})

let made = 0
const newStack = (more: object = {}, by = team) =>
  by.leader.call(stacks.create, {
    params: { teamId: by.id },
    body: { name: `stack-${++made}`, envId: envUuid, ...more },
  })

const spec: ServiceSpecInput = { image: 'registry.example.test/web:1', ports: [{ port: 8080 }], replicas: 2 }

/** Its pods end at once. */
const quick = { lifecycle: { beforeStop: { type: 'command' as const, command: ['true'] } } }

/** Reconciles until the service is in one of the states. */
const settled = (id: number, ...wanted: string[]) =>
  eventually(
    async () => {
      await app.reconcile()
      return team.leader.call(services.get, { params: { teamId: team.id, envId: envUuid, id } })
    },
    ({ state }) => wanted.includes(state),
  )
const gone = (id: number) =>
  eventually(async () => {
    await app.reconcile()
    const found = team.leader.call(services.get, { params: { teamId: team.id, envId: envUuid, id } })
    await expect(found).rejects.toMatchObject({ status: 404 })
  })

async function newService(more: Partial<ServiceSpecInput> = {}, state = 'stable') {
  const stack = await newStack()
  const created = await team.leader.call(services.create, {
    params: { teamId: team.id, stackId: stack.id, serviceName: 'web' },
    body: { ...spec, ...more },
  })
  return { stack, service: await settled(created.id, state) }
}

const of = (id: number) => ({ params: { teamId: team.id, envId: envUuid, id } })
const removal = ({ id, name }: { id: number; name: string }) => ({
  params: { teamId: team.id, envId: envUuid, stackId: id },
  query: { confirm: name },
})
const upgrade = (id: number, body: ServiceSpecInput) => team.leader.call(services.upgrade, { ...of(id), body })
const confirm = (id: number) => team.leader.call(services.confirm, of(id))
const cancel = (id: number) => team.leader.call(services.cancel, of(id))
const rollBack = (id: number) => team.leader.call(services.rollBack, of(id))
const scale = (id: number, replicas: number) => team.leader.call(services.scale, { ...of(id), query: { replicas } })

test('a stack is a namespace isolated from other teams', async () => {
  const { stack } = await newService()
  const { namespace } = stack
  const { metadata } = await direct().get(kinds.namespaces, { name: namespace })
  expect(metadata?.labels).toMatchObject({
    'gantry.dev/team': String(team.id),
    'pod-security.kubernetes.io/enforce': 'baseline',
  })
  const policy = await direct().get(kinds.networkPolicies, { name: 'gantry-team-only', namespace })
  expect(policy.spec?.policyTypes).toEqual(['Ingress'])
  const binding = await direct().get(kinds.roleBindings, { name: 'gantry-team', namespace })
  expect(binding.subjects).toEqual([
    { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: `gantry:team:${team.id}` },
    { kind: 'ServiceAccount', name: stack.namespace, namespace: 'gantry-kubeconfigs' },
  ])
})

test('a stack’s description is changed, and pages that show it are told', async () => {
  const { id } = await newStack()
  const params = { teamId: team.id, stackId: id }
  expect(await team.leader.call(stacks.update, { params, body: { description: 'of the shop' } })).toMatchObject({
    description: 'of the shop',
  })
  const published = await app.db
    .selectFrom('outbox')
    .select('content')
    .where('topic', '=', `stacks/${team.id}`)
    .execute()
  expect(published.filter(({ content }) => (content as { stackId: number }).stackId === id)).toHaveLength(2)
})

test('a service is deployed, and its containers are listed', async () => {
  const { service } = await newService()
  const list = await team.leader.call(services.containers, {
    params: { teamId: team.id, envId: envUuid, id: service.id },
  })
  expect(list.items).toHaveLength(2)
  expect(list.items[0]).toMatchObject({ state: 'running', ready: true, image: spec.image })
  expect(service).toMatchObject({ state: 'stable', replicas: 2, revision: 1 })
  const pod = list.items[0]?.podName ?? ''
  const narrowed = async (keyword: string) =>
    (
      await team.leader.call(services.containers, {
        params: { teamId: team.id, envId: envUuid, id: service.id },
        query: { keyword },
      })
    ).items.map(({ podName }) => podName)
  expect(await narrowed(pod.toUpperCase())).toEqual([pod])
  expect(await narrowed('no such pod')).toEqual([])
})

describe('upgrade', () => {
  test('confirming keeps the new version', async () => {
    const { service } = await newService()
    await upgrade(service.id, { ...spec, image: 'registry.example.test/web:2' })
    const upgraded = await settled(service.id, 'upgraded')
    expect(upgraded).toMatchObject({ image: 'registry.example.test/web:2', previous: { image: spec.image } })
    await confirm(service.id)
    expect(await settled(service.id, 'stable')).toMatchObject({ image: 'registry.example.test/web:2', previous: null })
    await expect(rollBack(service.id)).rejects.toMatchObject({ status: 409, key: 'stacks-not-now-stable' })
  })

  test('rolling back returns to the old version with its digest', async () => {
    const { service } = await newService()
    await upgrade(service.id, { ...spec, image: 'registry.example.test/web:2' })
    await settled(service.id, 'upgraded')
    await rollBack(service.id)
    expect(await settled(service.id, 'stable')).toMatchObject({
      image: spec.image,
      digest: service.digest,
      revision: 3,
    })
    const deployment = await direct().get(kinds.deployments, {
      name: 'web',
      namespace: (await stackOf(service.stackId)).namespace,
    })
    expect(deployment.spec?.template.spec?.containers[0]?.image).toContain('web:1')
  })

  test('a stuck upgrade can be cancelled', async () => {
    const { service } = await newService()
    await upgrade(service.id, { ...spec, image: `${sandbox.registry}/missing:1` })
    const stuck = await settled(service.id, 'failed')
    expect(stuck.message).toContain('does not exist')
    // the old pods keep serving, and do not count here
    expect(stuck).toMatchObject({ ready: 0, digest: '' })
    await cancel(service.id)
    expect(await settled(service.id, 'stable')).toMatchObject({ image: spec.image, previous: null })
  })

  test('one of concurrent confirm, cancel and roll back wins', async () => {
    const { service } = await newService()
    await upgrade(service.id, { ...spec, image: 'registry.example.test/web:2' })
    await settled(service.id, 'upgraded')
    const results = await Promise.allSettled([confirm(service.id), rollBack(service.id), cancel(service.id)])
    expect(results.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    for (const one of results) if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 409 })
    await settled(service.id, 'stable')
  })
})

const stackOf = (id: number) =>
  team.leader.call(stacks.get, { params: { teamId: team.id, envId: envUuid, stackId: id } })

test('a settled service whose pods crash later keeps its state, and reports the crash', async () => {
  const { stack, service } = await newService({ replicas: 1 })
  const get = () => team.leader.call(services.get, { params: { teamId: team.id, envId: envUuid, id: service.id } })
  await eventually(async () => expect(await get()).toMatchObject({ message: '', ready: 1 }))
  const crash = { spec: { template: { metadata: { annotations: { 'sandbox.gantry.dev/crash': '3' } } } } }
  await direct().merge(kinds.deployments, { name: 'web', namespace: stack.namespace }, crash)
  // between crashes it runs for a second and is healthy
  const list = { teamId: team.id, envId: envUuid, uuid: stack.uuid }
  const crashed = { state: 'stable', message: expect.stringMatching(/crash.*3/) as string }
  await eventually(async () => expect(await get()).toMatchObject(crashed))
  await eventually(async () =>
    expect((await team.leader.call(services.list, { params: list })).items[0]).toMatchObject(crashed),
  )
})

test('scale, restart and delete', async () => {
  const { stack, service } = await newService(quick)
  const podsOf = async () =>
    (await direct().list(kinds.pods, { namespace: stack.namespace })).items
      .filter((pod) => pod.metadata?.deletionTimestamp === undefined)
      .map((pod) => pod.metadata?.name ?? '')
  const first = await podsOf()
  await scale(service.id, 3)
  expect(await settled(service.id, 'stable')).toMatchObject({ replicas: 3, ready: 3, revision: 2 })
  const before = await podsOf()
  expect(before).toHaveLength(3)
  expect(before).toEqual(expect.arrayContaining(first))
  await team.leader.call(services.restart, {
    params: { teamId: team.id, envId: envUuid, stackName: stack.name },
    body: ['web'],
  })
  await settled(service.id, 'stable')
  expect((await podsOf()).some((name) => before.includes(name))).toBe(false)
  await team.leader.call(services.remove, {
    params: { teamId: team.id, envId: envUuid, idAndType: `${service.id}_business` },
    query: { confirm: 'web' },
  })
  await gone(service.id)
  expect(await direct().find(kinds.deployments, { name: 'web', namespace: stack.namespace })).toBeUndefined()
})

test('a change that is made while a stack is reconciled is kept, and reconciled right after', async () => {
  const stack = await newStack()
  const before = await findStack(app.db, stack.id)
  if (!before) throw new Error('no stack')
  const of = { teamId: team.id, envId: envUuid, stackName: stack.name }
  await team.leader.call(stacks.setQuota, { params: of, body: { cpu: 1, memory: 1 } })
  expect(await noteReconciled(app.db, before, 'running')).toBe(false)
  expect(await findStack(app.db, stack.id)).toMatchObject({ state: 'creating', cpu: 1 })

  const shared = await findStack(app.db, stack.id)
  await team.leader.call(stacks.remove, removal(stack))
  expect(await noteReconciled(app.db, shared ?? before, 'running')).toBe(false)
  expect(await findStack(app.db, stack.id)).toMatchObject({ state: 'deleting' })
  const begun = await stackReconciler.begin(app.ctx())
  expect(begun.map(({ item }) => item.id)).toContain(stack.id)
  await Promise.all(begun.map(({ ended }) => ended))
})

test('one of many concurrent deletions of a stack succeeds, and the others get that it is being deleted', async () => {
  const stack = await newStack()
  const remove = () => team.leader.call(stacks.remove, removal(stack)).catch((error: unknown) => error)
  const answers = await Promise.all(Array.from({ length: 8 }, remove))
  expect(answers.filter((answer) => answer === null)).toHaveLength(1)
  const being = { status: 409, key: 'stacks-being-deleted' }
  for (const answer of [...answers.filter((one) => one !== null), await remove()]) expect(answer).toMatchObject(being)
})

test('one of many concurrent deletions of a service succeeds', async () => {
  const { service } = await newService()
  const params = { teamId: team.id, envId: envUuid, idAndType: `${service.id}_business` }
  const remove = () =>
    team.leader.call(services.remove, { params, query: { confirm: 'web' } }).catch((error: unknown) => error)
  const answers = await Promise.all(Array.from({ length: 8 }, remove))
  expect(answers.filter((answer) => answer === null)).toHaveLength(1)
  for (const answer of answers.filter((one) => one !== null))
    expect(answer).toMatchObject({ status: 409, key: 'stacks-not-now-deleting' })
})

test('deleting by number requires the name too', async () => {
  const { stack, service } = await newService()
  const params = { teamId: team.id, envId: envUuid }
  const ways = [
    (confirm: string) =>
      team.leader.call(stacks.remove, { params: { ...params, stackId: stack.id }, query: { confirm } }),
    (confirm: string) =>
      team.leader.call(stacks.remove, {
        params: { ...params, stackId: stack.id },
        query: { confirm, deleteFore: 'true' },
      }),
    (confirm: string) =>
      team.leader.call(services.remove, {
        params: { ...params, idAndType: `${service.id}_business` },
        query: { confirm },
      }),
  ]
  for (const remove of ways) {
    await expect(remove('')).rejects.toMatchObject({ status: 400, key: 'confirm-name-missing' })
    for (const another of ['another', ` ${stack.name}`, 'Web'])
      await expect(remove(another)).rejects.toMatchObject({ status: 400, key: 'confirm-name-mismatch' })
  }
  expect(await findStack(app.db, stack.id)).toMatchObject({ state: 'running' })
})

test('deleting a stack deletes its namespace', async () => {
  const { stack, service } = await newService(quick)
  await team.leader.call(stacks.remove, removal(stack))
  await gone(service.id)
  await eventually(async () => expect(await direct().find(kinds.namespaces, { name: stack.namespace })).toBeUndefined())
})

test('a stack’s YAML is what its cluster got, also after scaling', async () => {
  const { stack, service } = await newService()
  await scale(service.id, 3)
  await settled(service.id, 'stable')
  const { yaml } = await team.leader.call(stacks.yaml, { params: { id: stack.id } })
  const documents = parseAllDocuments(yaml).map((document) => document.toJS() as { kind: string; spec: object })
  const there = await direct().get(kinds.deployments, { name: 'web', namespace: stack.namespace })
  expect(documents.find(({ kind }) => kind === 'Deployment')?.spec).toMatchObject({
    replicas: 3,
    template: { metadata: { labels: there.spec?.template.metadata?.labels } },
  })
})

test('a variable may have any name that Kubernetes accepts, even that of a property of every object', async () => {
  const names = ['__proto__', 'constructor', 'toString', '.a-b_C.9']
  const environment = names.flatMap((name) => [
    { name, value: `canary-${name}`, secret: true },
    { name: `${name}_`, value: 'plain', secret: false },
  ])
  const { stack, service } = await newService({
    environment: [...environment, { name: 'valueOf', value: mask, secret: true }],
  })
  expect(service.state).toBe('stable')
  const { data = {} } = await direct().get(kinds.secrets, { name: 'web-env', namespace: stack.namespace })
  const kept = new Map(Object.entries(data).map(([name, value]) => [name, Buffer.from(value, 'base64').toString()]))
  expect(kept).toEqual(new Map([...names.map((name) => [name, `canary-${name}`] as const), ['valueOf', '']]))
})

test('secret variables reach the pod in a Secret, and no reader', async () => {
  const environment = [{ name: 'PASSWORD', value: 'canary-value-1', secret: true }]
  const { stack, service } = await newService({ environment })
  expect(service.spec.environment).toEqual([{ name: 'PASSWORD', value: mask, secret: true }])
  const secret = await direct().get(kinds.secrets, { name: 'web-env', namespace: stack.namespace })
  expect(Buffer.from(secret.data?.['PASSWORD'] ?? '', 'base64').toString()).toBe('canary-value-1')
  const { yaml } = await team.leader.call(stacks.yaml, { params: { id: stack.id } })
  expect(yaml).not.toContain('canary')
  const rows = await app.db
    .selectFrom('service')
    .select(['spec', 'secrets'])
    .where('id', '=', service.id)
    .executeTakeFirstOrThrow()
  expect(JSON.stringify(rows)).not.toContain('canary')
  // the mask, sent back, keeps it
  await upgrade(service.id, { ...service.spec, image: 'registry.example.test/web:2' })
  await settled(service.id, 'upgraded')
  const after = await direct().get(kinds.secrets, { name: 'web-env', namespace: stack.namespace })
  expect(after.data).toEqual(secret.data)
})

describe('quotas', () => {
  const gib = (cpu: number, memory: number) => ({ cpu, memory })

  test('shares add up to at most the team’s quota, also if two are set concurrently', async () => {
    const small = await app.team()
    await app.admin.call(clusters.assign, { params: { env: envUuid }, query: { tenant: small.id } })
    await app.admin.call(quotas.set, { params: { tenant: small.id }, body: { envUuid, hard: gib(4, 8) } })
    await expect(newStack({}, small)).rejects.toMatchObject({ status: 400, key: 'quotas-share-needed-cpu' })
    const both = await Promise.allSettled([
      newStack({ quota: gib(3, 4) }, small),
      newStack({ quota: gib(3, 4) }, small),
    ])
    expect(both.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const refused = both.find((one) => one.status === 'rejected')
    expect(refused?.status === 'rejected' && refused.reason).toMatchObject({ status: 409, key: 'quotas-exceeded-cpu' })
    await expect(
      app.admin.call(quotas.set, { params: { tenant: small.id }, body: { envUuid, hard: gib(2, 8) } }),
    ).rejects.toMatchObject({ status: 409, key: 'quotas-below-use-cpu' })
  })

  test('a service that does not fit its stack, surge included, is refused with the amount to free', async () => {
    const stack = await newStack({ quota: gib(1, 1) })
    const create = (name: string, replicas: number) =>
      team.leader.call(services.create, {
        params: { teamId: team.id, stackId: stack.id, serviceName: name },
        body: { ...spec, replicas, resources: { cpu: '0.25', memory: '128Mi' } },
      })
    await expect(create('web', 4)).rejects.toMatchObject({ status: 409, key: 'stacks-share-exceeded-cpu' })
    await expect(create('web', 4)).rejects.toThrow(/Free 0.25 cores/)
    await create('web', 3)
    await expect(create('more', 1)).rejects.toMatchObject({ status: 409, key: 'stacks-share-exceeded-cpu' })
  })
})

test('an amount beyond all clusters is refused before anything is stored', async () => {
  const stack = await newStack()
  const create = (resources: object) =>
    team.leader.call(services.create, {
      params: { teamId: team.id, stackId: stack.id, serviceName: 'web' },
      body: { ...spec, resources },
    })
  const digits = '9'.repeat(400)
  for (const [resources, key] of [
    [{ cpu: digits }, 'cpu-format'],
    [{ cpu: '1000001' }, 'cpu-maximum'],
    [{ memory: `${digits}Gi` }, 'memory-format'],
    [{ memory: '10000001Gi' }, 'memory-maximum'],
  ] as const)
    await expect(create(resources)).rejects.toMatchObject({ status: 400, problems: [{ key }] })
  const beyond = newStack({ quota: { cpu: 1_000_001, memory: 1 } })
  await expect(beyond).rejects.toMatchObject({ status: 400, problems: [{ key: 'cpu-maximum' }] })
  const list = await team.leader.call(stacks.list, {
    params: { teamId: team.id, envId: envUuid },
    query: { pageSize: -1 },
  })
  expect(list.items.find((one) => one.id === stack.id)).toMatchObject({ serviceNum: 0 })
})

describe('tenants', () => {
  test('a cluster that is not assigned to the team does not exist for it', async () => {
    const stranger = await app.team()
    await expect(newStack({}, stranger)).rejects.toMatchObject({ status: 404 })
  })

  test('a pod of another team, and one with forged labels, give no access', async () => {
    const { stack, service } = await newService()
    const list = await team.leader.call(services.containers, {
      params: { teamId: team.id, envId: envUuid, id: service.id },
    })
    const podId = list.items[0]?.podId ?? ''
    const stranger = await app.team()
    await app.admin.call(clusters.assign, { params: { env: envUuid }, query: { tenant: stranger.id } })
    const open = (by: typeof team, id: string) =>
      by.leader.call(containers.execute, { params: { teamId: by.id, envId: envUuid, id } })
    await expect(open(stranger, podId)).rejects.toMatchObject({ status: 404 })

    // a pod in another namespace whose labels claim the team's stack
    await direct().create(kinds.namespaces, { metadata: { name: 'forged' } })
    const forged = await direct().create(kinds.pods, {
      metadata: {
        name: 'forged',
        namespace: 'forged',
        labels: { 'gantry.dev/stack': stack.uuid, 'gantry.dev/team': String(team.id) },
      },
      spec: { containers: [{ name: 'web', image: 'registry.example.test/web:1' }] },
    })
    await expect(open(team, forged.metadata?.uid ?? '')).rejects.toMatchObject({ status: 404 })
    expect((await open(team, podId))?.ticket).toMatch(/^gk_/)
  })

  test('only a member with the permission reads a container’s log', async () => {
    const { service } = await newService({ environment: [{ name: 'SANDBOX_LOG', value: 'canary line' }] })
    const list = await team.leader.call(services.containers, {
      params: { teamId: team.id, envId: envUuid, id: service.id },
    })
    const { podId = '', name = '' } = list.items[0] ?? {}
    const params = { teamId: team.id, envId: envUuid, podId, name }
    const log = await team.leader.call(containers.log, { params })
    expect(log.lines.length).toBeGreaterThan(0)
    const file = (previous: 'true' | 'false') =>
      team.leader.request(containers.logFile, { params, query: { previous } })
    expect((await file('false')).body).toContain(log.lines[0]?.text)
    // it never ended, so there is no previous log
    expect((await file('true')).json()).toMatchObject({ code: 404, message: 'stacks-no-previous-log' })
    const reader = await team.member(['stack_container_view'])
    await expect(reader.call(containers.log, { params })).resolves.toHaveProperty('lines')
    const other = await team.member([])
    await expect(other.call(containers.log, { params })).rejects.toMatchObject({
      status: 403,
      key: expect.stringContaining('permission-missing'),
    })
  })
})

test('an invalid container name is refused', async () => {
  const answer = await team.leader.raw({
    method: 'GET',
    url: `/orchestration/api/${team.id}/env/${envUuid}/pod/00000000-0000-0000-0000-000000000000/container/${encodeURIComponent('a;id')}/log`,
  })
  expect(answer.statusCode).toBe(400)
})

test('an unreachable cluster is shown as such, without an error; changes wait and say why', async () => {
  const { stack, service } = await newService()
  await sandbox.stop()
  await expect
    .poll(async () => {
      const list = await team.leader.call(services.list, {
        params: { teamId: team.id, envId: envUuid, uuid: stack.uuid },
      })
      return list.items[0]?.live.state
    })
    .toBe('stale')
  await scale(service.id, 1)
  await app.reconcile()
  const messageTo = async (reader: typeof app.admin) =>
    (await reader.call(services.get, { params: { teamId: team.id, envId: envUuid, id: service.id } })).message
  await expect.poll(() => messageTo(app.admin)).toContain('127.0.0.1')
  expect(await messageTo(team.leader)).toBe(en['clusters-health-unreachable'])
})
