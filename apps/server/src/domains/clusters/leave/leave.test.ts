import { readFileSync } from 'node:fs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { stacks } from '@gantry/contract/stacks/stacks'
import pino from 'pino'
import { afterAll, expect, test } from 'vitest'
import { gatewayTo } from '../../../../test/gateway.ts'
import { startSandbox } from '../../../../test/sandbox.ts'
import { type Refused, testApp } from '../../../../test/test-app.ts'
import { admitLocal } from '../../../../test/kube-api.ts'
import { parseKubeconfig } from '../../../adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'
import { type Drain, nextDrain } from '../drains/drain.ts'
import { beginDrain } from '../drains/drains.store.ts'
import { madeFor } from '../../../adapters/kube/labels.ts'
import { name as agentName, namespace as agentNamespace } from '../cluster-agents/agent-manifest.ts'

const sandbox = await startSandbox()
const kubeconfig = readFileSync(sandbox.kubeconfig, 'utf8')
const { server } = parseKubeconfig(kubeconfig)
const gateway = await gatewayTo(server)
const port = openKube({ admit: admitLocal })
const logged: unknown[] = []
const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
const app = await testApp({ ports: { kube: port }, log })
const { kube } = port.cluster('a look of our own', parseKubeconfig(kubeconfig))
const team = await app.team()
afterAll(async () => {
  await port.close()
  await gateway.close()
  await sandbox.stop()
})

let made = 0
/** Adds a further cluster with the sandbox's objects. */
const add = () => {
  const body = { kubeconfig: kubeconfig.replace(server, gateway.cluster()), teamIds: [team.id] }
  return app.admin.call(clusters.create, { body: { name: `cluster-${++made}`, ...body } })
}
const nameOf = async (uuid: string) => (await app.admin.call(clusters.get, { params: { uuid } })).name
const complete = async (uuid: string) =>
  app.admin.call(clusters.remove, { params: { uuid }, query: { confirm: await nameOf(uuid), action: 'complete' } })
const isThere = async (uuid: string) =>
  (await app.db.selectFrom('environment').select('uuid').where('uuid', '=', uuid).executeTakeFirst()) !== undefined
const namespaces = async () => (await kube.list(kinds.namespaces)).items.map(({ metadata }) => metadata?.name)
const gone = (name: string) => expect.poll(namespaces).not.toContain(name)

/** A stack whose row is lost while its namespace stays, as after a restored backup or a manual database change. */
async function lostStack(envId: string, name: string): Promise<string> {
  const stack = await team.leader.call(stacks.create, { params: { teamId: team.id }, body: { name, envId } })
  await app.reconcile()
  const namespace = `${team.name}-${name}`
  expect(await namespaces()).toContain(namespace)
  await app.db.deleteFrom('stack').where('id', '=', stack.id).execute()
  return namespace
}

test('with stacks, neither kind of delete deletes anything, and the refusal names the stacks', async () => {
  const { uuid, name } = await add()
  await team.leader.call(stacks.create, { params: { teamId: team.id }, body: { name: 'shop', envId: uuid } })
  for (const action of [undefined, 'complete'] as const) {
    const refused = await app.admin
      .call(clusters.remove, { params: { uuid }, query: { confirm: name, action } })
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ status: 409, key: 'clusters-in-use' })
    expect((refused as Refused).message).toContain('shop')
  }
  expect(await isThere(uuid)).toBe(true)
})

test('a complete delete deletes what was created there and leaves everything else', async () => {
  const { uuid, name } = await add()
  const [mine, others] = [madeFor(uuid), madeFor('3f2504e0-4f89-41d3-9a0c-0305e82c3301')]
  const namespace = await lostStack(uuid, 'lost')
  await kube.apply(kinds.namespaces, { metadata: { name: 'agents', labels: mine } })
  await kube.apply(kinds.namespaces, { metadata: { name: 'of-another', labels: others } })
  // has the labels of a team and a stack, which anybody could set
  const forged = { 'gantry.dev/team': String(team.id), 'gantry.dev/stack': uuid }
  await kube.apply(kinds.namespaces, { metadata: { name: 'forged', labels: forged } })
  for (const [name, labels] of [
    ['ours', mine],
    ['theirs', others],
  ] as const)
    await kube.apply(kinds.configMaps, { metadata: { namespace: 'default', name, labels }, data: {} })
  const [host = '', inMaintenance = '', cordoned = ''] = (await kube.list(kinds.nodes)).items.map(
    ({ metadata }) => metadata?.name ?? '',
  )
  const dedicated = { key: 'gantry.dev/dedicated', value: String(team.id), effect: 'NoSchedule' }
  const other = { key: 'example.test/gpu', value: 'yes', effect: 'NoSchedule' }
  const marks = { labels: { 'gantry.dev/dedicated': String(team.id), 'gantry.dev/ingress': 'true' } }
  await kube.merge(kinds.nodes, { name: host }, { metadata: marks, spec: { taints: [dedicated, other] } })
  // one in maintenance by the product, and one that somebody cordoned otherwise
  for (const name of [inMaintenance, cordoned])
    await kube.merge(kinds.nodes, { name }, { spec: { unschedulable: true } })
  const drain = nextDrain(undefined, { is: 'asked' }) as Drain
  const nodeUid = (await kube.get(kinds.nodes, { name: inMaintenance })).metadata?.uid ?? ''
  await beginDrain(
    app.db,
    { environment: uuid, host: inMaintenance, nodeUid, startedBy: 'admin', startedById: null },
    drain,
  )

  await complete(uuid)
  expect(await app.admin.call(clusters.get, { params: { uuid } })).toMatchObject({ leaving: true })
  await app.reconcile()

  expect(await isThere(uuid)).toBe(false)
  await gone(namespace)
  await gone('agents')
  expect(await namespaces()).toEqual(expect.arrayContaining(['forged', 'of-another', 'default', 'kube-system']))
  const maps = (await kube.list(kinds.configMaps, { namespace: 'default' })).items.map(({ metadata }) => metadata?.name)
  expect([maps.includes('ours'), maps.includes('theirs')]).toEqual([false, true])
  const { metadata, spec } = await kube.get(kinds.nodes, { name: host })
  expect(spec?.taints?.map(({ key }) => key)).toEqual(['example.test/gpu'])
  expect(Object.keys(metadata?.labels ?? {}).filter((key) => key.startsWith('gantry.dev/'))).toEqual([])
  const isCordoned = async (name: string) => (await kube.get(kinds.nodes, { name })).spec?.unschedulable === true
  expect([await isCordoned(inMaintenance), await isCordoned(cordoned)]).toEqual([false, true])
  await kube.merge(kinds.nodes, { name: host }, { spec: { taints: null } })
  await kube.merge(kinds.nodes, { name: cordoned }, { spec: { unschedulable: null } })
  const rows = await app.db.selectFrom('audit_log').selectAll().where('object', '=', name).orderBy('id').execute()
  expect(rows.map(({ action, actor_kind }) => [action, actor_kind])).toEqual([
    ['environment.create', 'user'],
    ['environment.delete', 'user'],
    ['environment.delete', 'system'],
  ])
  expect(JSON.stringify(rows.at(-1)?.detail)).toContain(namespace)
})

test('an agent is deleted with its whole namespace, but that of another installation stays', async () => {
  const agent = { name: agentName }
  const role = { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', ...agent } }
  const applied = async (labels: Record<string, string>) => {
    const metadata = { ...agent, labels }
    await kube.apply(kinds.namespaces, { metadata: { name: agentNamespace, labels } })
    await kube.apply(kinds.secrets, { metadata: { ...metadata, namespace: agentNamespace } })
    await kube.apply(kinds.clusterRoles, { metadata, rules: [] })
    await kube.apply(kinds.clusterRoleBindings, { metadata, ...role })
  }
  const left = async () => [
    (await namespaces()).includes(agentNamespace),
    (await kube.find(kinds.clusterRoles, agent)) !== undefined,
    (await kube.find(kinds.clusterRoleBindings, agent)) !== undefined,
  ]
  const [one, other] = [await add(), await add()]
  await applied(madeFor(one.uuid))
  await complete(other.uuid)
  await app.reconcile()
  expect([await isThere(other.uuid), await left()]).toEqual([false, [true, true, true]])
  await complete(one.uuid)
  await app.reconcile()
  expect(await isThere(one.uuid)).toBe(false)
  await expect.poll(left).toEqual([false, false, false])

  // its namespace was already deleted by hand
  const again = await add()
  await applied(madeFor(again.uuid))
  await kube.remove(kinds.namespaces, { name: agentNamespace })
  await gone(agentNamespace)
  await complete(again.uuid)
  await app.reconcile()
  expect(await left()).toEqual([false, false, false])
})

test('a namespace that somebody else created again under the same name stays', async () => {
  const { uuid } = await add()
  const namespace = await lostStack(uuid, 'renewed')
  await kube.remove(kinds.namespaces, { name: namespace })
  await gone(namespace)
  await kube.apply(kinds.namespaces, { metadata: { name: namespace } })
  await complete(uuid)
  await app.reconcile()
  expect(await isThere(uuid)).toBe(false)
  expect((await kube.get(kinds.namespaces, { name: namespace })).metadata?.deletionTimestamp).toBeUndefined()
})

test('a complete delete that runs twice deletes once, and refuses new stacks meanwhile', async () => {
  const { uuid } = await add()
  await lostStack(uuid, 'twice')
  await complete(uuid)
  await complete(uuid)
  const refused = await team.leader
    .call(stacks.create, { params: { teamId: team.id }, body: { name: 'late', envId: uuid } })
    .catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 404 })
  await Promise.all([app.reconcile(), app.reconcile()])
  await app.reconcile()
  expect(await isThere(uuid)).toBe(false)
})

test('a stack that was created meanwhile keeps the cluster and its namespace', async () => {
  const { uuid } = await add()
  await complete(uuid)
  await app.db
    .insertInto('stack')
    .values({ team_id: team.id, environment: uuid, name: 'meanwhile', namespace: 'meanwhile', actor: 'x' })
    .execute()
  const published = () => app.db.selectFrom('outbox').select('content').where('topic', '=', 'environments').execute()
  const before = await published()
  await app.reconcile()
  // the cluster's page is notified that it stays
  expect(await published()).toHaveLength(before.length + 1)
  expect(await app.admin.call(clusters.get, { params: { uuid } })).toMatchObject({ leaving: false })
})

test('a cluster that cannot be emptied is retried for a while, and then kept', async () => {
  const { uuid, name } = await add()
  await complete(uuid)
  const nowhere = { ...parseKubeconfig(kubeconfig), server: 'https://127.0.0.1:1' }
  const change = (set: object) => app.db.updateTable('environment').set(set).where('uuid', '=', uuid).execute()
  const read = () => app.admin.call(clusters.get, { params: { uuid } })
  await change({ address: seal(app.ctx(), JSON.stringify(nowhere)) })
  await app.reconcile()
  expect(logged.at(-1)).toMatchObject({
    level: 50,
    reconciler: 'clusters-leave',
    item: { uuid },
    err: { kind: 'refused' },
  })
  expect(await read()).toMatchObject({ leaving: true })
  await change({ leaving_since: '2026-01-01T00:00:00Z', settle_until: null })
  await app.reconcile()
  expect(await read()).toMatchObject({ leaving: false })
  const row = await app.db
    .selectFrom('audit_log')
    .select(['actor_kind', 'message'])
    .where('object', '=', name)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(row).toEqual({ actor_kind: 'system', message: 'kube-refused' })
})

test('the sandbox cannot be emptied, and an unreachable cluster is refused at once', async () => {
  const { uuid } = await add()
  await app.db.updateTable('environment').set({ sandbox: true }).where('uuid', '=', uuid).execute()
  expect(await complete(uuid).catch((error: unknown) => error)).toMatchObject({ key: 'clusters-sandbox-kept' })
  await app.db.updateTable('environment').set({ sandbox: false }).where('uuid', '=', uuid).execute()
  await sandbox.stop()
  expect(await complete(uuid).catch((error: unknown) => error)).toMatchObject({ status: 503 })
  expect(await app.admin.call(clusters.get, { params: { uuid } })).toMatchObject({ leaving: false })
  await app.admin.call(clusters.remove, { params: { uuid }, query: { confirm: await nameOf(uuid) } })
  expect(await isThere(uuid)).toBe(false)
})
