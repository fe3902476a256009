import { readFileSync } from 'node:fs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { collection, type LogSettings } from '@gantry/contract/log-shipping/collection'
import { kafka } from '@gantry/contract/log-shipping/kafka'
import { mask } from '@gantry/contract/validators'
import { afterAll, expect, test } from 'vitest'
import { gatewayTo } from '../../../test/gateway.ts'
import { admitLocal } from '../../../test/kube-api.ts'
import { startSandbox } from '../../../test/sandbox.ts'
import { testApp } from '../../../test/test-app.ts'
import { madeFor } from '../../adapters/kube/labels.ts'
import * as kinds from '../../adapters/kube/resources.ts'
import { parseKubeconfig } from '../../adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../../adapters/kube/transport/pool.ts'

const sandbox = await startSandbox()
const kubeconfig = readFileSync(sandbox.kubeconfig, 'utf8')
const { server } = parseKubeconfig(kubeconfig)
const gateway = await gatewayTo(server)
const port = openKube({ admit: admitLocal })
const nothing = async () => {}
const fakeKafka = { verify: nothing, open: async () => ({ send: nothing, close: nothing }) }
const app = await testApp({ ports: { kube: port, kafka: fakeKafka } })
const { kube } = port.cluster('a look of our own', parseKubeconfig(kubeconfig))
const team = await app.team()
afterAll(async () => {
  await port.close()
  await gateway.close()
  await sandbox.stop()
})

let made = 0
const add = () =>
  app.admin.call(clusters.create, {
    body: {
      name: `cluster-${++made}`,
      kubeconfig: kubeconfig.replace(server, gateway.cluster()),
      teamIds: [team.id],
    },
  })
const ref = { name: 'gantry-logs', namespace: 'gantry-logs' }

async function saveKafka(more: object = {}) {
  const { audit: _, ...stored } = await app.admin.call(kafka.get)
  const settings = {
    enabled: true,
    brokers: ['kafka.test:9093'],
    sasl: 'plain' as const,
    userName: 'gantry',
    password: 'hunter2hunter2',
    logTopic: 'logs',
  }
  return app.admin.call(kafka.set, { body: { ...stored, ...settings, ...more } })
}
async function choose(more: Partial<LogSettings>) {
  const { kafka: _, collectors: __, ...stored } = await app.admin.call(collection.get)
  return app.admin.call(collection.set, { body: { ...stored, ...more } })
}
const due = () => app.db.updateTable('log_collector').set({ settle_until: null }).execute()
const there = async () => ({
  namespace: (await kube.find(kinds.namespaces, { name: ref.namespace })) !== undefined,
  set: (await kube.find(kinds.daemonSets, ref)) !== undefined,
  role: (await kube.find(kinds.clusterRoles, { name: ref.name })) !== undefined,
  binding: (await kube.find(kinds.clusterRoleBindings, { name: ref.name })) !== undefined,
})
const nothingLeft = { namespace: false, set: false, role: false, binding: false }
const textOf = async () => {
  const map = await kube.get(kinds.configMaps, ref)
  return map.data?.['fluent-bit.yaml'] ?? ''
}
const collectorOf = async (uuid: string) =>
  (await app.admin.call(collection.get)).collectors.find(({ environment }) => environment === uuid)

test('a chosen cluster gets its collector, which follows each change and is deleted with Kafka’s settings', async () => {
  const { uuid } = await add()
  await choose({ environments: [uuid] })
  await app.reconcile()
  expect(await there()).toEqual(nothingLeft)
  expect(await collectorOf(uuid)).toMatchObject({ state: 'off', hash: '' })

  await saveKafka()
  await app.reconcile()
  expect(await there()).toEqual({ namespace: true, set: true, role: true, binding: true })
  const set = await kube.get(kinds.daemonSets, ref)
  const first = set.spec?.template.metadata?.annotations?.['gantry.dev/content']
  expect(await collectorOf(uuid)).toMatchObject({ state: 'completed', hash: first, problem: '' })
  expect(set.spec?.template.spec?.tolerations).toEqual([{ operator: 'Exists' }])
  const text = await textOf()
  expect(text).toContain('kafka.test:9093')
  expect(text).toContain('^[0-9]+$')
  expect(text).not.toContain('hunter2')
  const secret = await kube.get(kinds.secrets, ref)
  expect(Buffer.from(secret.data?.['password'] ?? '', 'base64').toString()).toBe('hunter2hunter2')

  await choose({ allTeams: false, teamIds: [team.id], excluded: ['team-a'], streams: 'stderr', multiline: 'java' })
  await app.reconcile()
  const changed = await textOf()
  for (const part of [`^(0|${team.id})$`, '*_team-a_*.log', 'stream ^stderr$', 'multiline.parser: "java"'])
    expect(changed).toContain(part)
  const second = (await kube.get(kinds.daemonSets, ref)).spec?.template.metadata?.annotations?.['gantry.dev/content']
  expect(second).not.toBe(first)

  await saveKafka({ password: mask, enabled: false })
  await app.reconcile()
  await expect.poll(there).toEqual(nothingLeft)
  expect(await collectorOf(uuid)).toMatchObject({ state: 'off', hash: '', desired: null })

  await saveKafka({ password: mask })
  await due()
  await app.reconcile()
  expect(await there()).toMatchObject({ set: true })
  await choose({ environments: [] })
  await app.reconcile()
  await expect.poll(there).toEqual(nothingLeft)
  expect(await collectorOf(uuid)).toBeUndefined()
})

test('a deleted collector is created again', async () => {
  const { uuid } = await add()
  await saveKafka()
  await choose({ environments: [uuid] })
  await app.reconcile()
  await kube.remove(kinds.daemonSets, ref)
  await app.db
    .updateTable('log_collector')
    .set({ settled_at: new Date(0), settle_until: null })
    .execute()
  await Promise.all([app.reconcile(), app.reconcile()])
  expect(await there()).toMatchObject({ set: true })
  await choose({ environments: [] })
  await app.reconcile()
  await expect.poll(there).toEqual(nothingLeft)
})

test('a namespace of another installation stays as it is, and the reason is shown', async () => {
  const { uuid } = await add()
  await saveKafka()
  const others = madeFor('3f2504e0-4f89-41d3-9a0c-0305e82c3301')
  await kube.apply(kinds.namespaces, { metadata: { name: ref.namespace, labels: others } })
  await choose({ environments: [uuid] })
  await app.reconcile()
  expect(await collectorOf(uuid)).toMatchObject({ state: 'failed', problem: expect.stringContaining(ref.namespace) })
  await choose({ environments: [] })
  await due()
  await app.reconcile()
  expect(await there()).toMatchObject({ namespace: true, set: false })
  await kube.remove(kinds.namespaces, { name: ref.namespace })
  await expect.poll(there).toEqual(nothingLeft)
})

test('a complete delete of a cluster deletes the collector too', async () => {
  const { uuid, name } = await add()
  await saveKafka()
  await choose({ environments: [uuid] })
  await app.reconcile()
  expect(await there()).toMatchObject({ set: true })
  await app.admin.call(clusters.remove, { params: { uuid }, query: { confirm: name, action: 'complete' } })
  await app.reconcile()
  await expect.poll(there).toEqual(nothingLeft)
  expect((await app.admin.call(collection.get)).environments).toEqual([])
})

test('a deleted team is no longer collected, and unknown clusters and teams are refused', async () => {
  const other = await app.team()
  await choose({ allTeams: false, teamIds: [other.id] })
  await app.db.deleteFrom('team').where('id', '=', other.id).execute()
  expect((await app.admin.call(collection.get)).teamIds).toEqual([])
  await expect(choose({ allTeams: false, teamIds: [other.id] })).rejects.toMatchObject({ key: 'logs-team-unknown' })
  const unknown = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
  await expect(choose({ environments: [unknown] })).rejects.toMatchObject({ key: 'logs-cluster-unknown' })
  const { kafka: _, collectors: __, revision, ...stored } = await app.admin.call(collection.get)
  await expect(app.admin.call(collection.set, { body: { ...stored, revision: revision - 1 } })).rejects.toMatchObject({
    status: 409,
    key: 'logs-settings-changed',
  })
})
