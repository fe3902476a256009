import { stacks } from '@gantry/contract/stacks/stacks'
import { expect, test } from 'vitest'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import type { Kube } from '../../../adapters/kube/client.ts'
import { KubeError } from '../../../adapters/kube/errors.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { whatHolds } from './holding.service.ts'

/** Namespaces whose deletion Kubernetes does not finish. */

const { app, direct, newEnvironment } = await sandboxApp()
const team = await app.team('held')
const { uuid: envId } = await newEnvironment('cluster', team)
const patient = { timeout: 20_000 }

const params = (stackId: number) => ({ teamId: team.id, envId, stackId })
const read = (id: number, lang: 'en' | 'zh' = 'en') =>
  team.leader.call(stacks.get, { params: params(id) }, { 'accept-language': lang })
const create = (name: string) => team.leader.call(stacks.create, { params: { teamId: team.id }, body: { name, envId } })
const remove = (id: number, confirm: string) =>
  team.leader.call(stacks.remove, { params: params(id), query: { confirm } })
const settled = (id: number, state: string) =>
  expect.poll(async () => (await app.reconcile(), (await read(id)).state), patient).toBe(state)
const message = (id: number) => expect.poll(async () => (await app.reconcile(), (await read(id)).message), patient)

async function running(name: string) {
  const made = await create(name)
  await settled(made.id, 'running')
  return made
}

const configMap = (namespace: string) => ({ name: 'ledger', namespace })
const hold = async (namespace: string) => {
  const metadata = { ...configMap(namespace), finalizers: ['example.com/audit'] }
  await direct.create(kinds.configMaps, { metadata })
}
const letGo = (namespace: string) =>
  direct.merge(kinds.configMaps, configMap(namespace), { metadata: { finalizers: null } })

test('a stack whose deletion an object blocks names it, in both languages, and its name is free once the object is gone', async () => {
  const { id, namespace } = await running('shop')
  await hold(namespace)
  await remove(id, 'shop')
  await message(id).toContain('configmaps/ledger (example.com/audit)')
  const stack = await read(id)
  expect(stack.state).toBe('deleting')
  expect(stack.message).toContain('NamespaceFinalizersRemaining: Some content in the namespace has finalizers')
  expect(stack.message).toContain('NamespaceContentRemaining: Some resources are remaining: configmaps.')
  expect((await read(id, 'zh')).message).toContain('直到以下对象被释放：configmaps/ledger (example.com/audit)')
  await expect(create('shop')).rejects.toMatchObject({ status: 409, key: 'stacks-name-leaving' })

  await letGo(namespace)
  await expect
    .poll(async () => {
      await app.reconcile()
      return (await team.leader.request(stacks.get, { params: params(id) })).statusCode
    }, patient)
    .toBe(404)
  const again = await running('shop')
  expect(again.namespace).toBe(namespace)
})

test('the pod that uses a claim is named', async () => {
  const { id, namespace } = await running('db')
  await direct.create(kinds.persistentVolumeClaims, {
    metadata: { name: 'data', namespace },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  })
  await direct.create(kinds.pods, {
    metadata: { name: 'db-0', namespace, finalizers: ['example.com/audit'] },
    spec: {
      containers: [{ name: 'c', image: 'busybox:1', resources: { limits: { cpu: '10m', memory: '8Mi' } } }],
      terminationGracePeriodSeconds: 0,
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  })
  await expect
    .poll(async () => (await direct.get(kinds.pods, { name: 'db-0', namespace })).spec?.nodeName, patient)
    .toBeDefined()
  await remove(id, 'db')
  await message(id).toContain('persistentvolumeclaims/data (kubernetes.io/pvc-protection: pods/db-0)')
  await direct.merge(kinds.pods, { name: 'db-0', namespace }, { metadata: { finalizers: null } })
})

test('a stack whose old namespace still exists waits, says so, and gets it once it is gone', async () => {
  const { id, namespace } = await running('again')
  await hold(namespace)
  await team.leader.call(stacks.remove, { params: params(id), query: { confirm: 'again', deleteFore: 'true' } })
  await direct.remove(kinds.namespaces, { name: namespace })
  const next = await create('again')
  expect(next.namespace).toBe(namespace)
  await message(next.id).toMatch(/^The previous namespace held-again is still being deleted.*configmaps\/ledger/)
  expect((await read(next.id)).state).toBe('creating')
  await letGo(namespace)
  await settled(next.id, 'running')
  expect((await read(next.id)).message).toBe('')
})

/** A namespace that is being deleted, with these conditions. */
const ending = (...conditions: [type: string, message: string, status?: string][]) => ({
  metadata: { name: 'n', deletionTimestamp: '2026-01-01T00:00:00Z' },
  status: {
    phase: 'Terminating',
    conditions: conditions.map(([type, text, status = 'True']) => ({ type, message: text, status })),
  },
})
const refusing = {
  preferredVersion: async () => 'v1',
  list: async () => {
    throw new KubeError('forbidden', 'c', 'no')
  },
} as unknown as Kube

test.each([
  ['no condition yet', [], null],
  ['nothing that is so', [['NamespaceDeletionContentFailure', 'All content deleted', 'False']], null],
  [
    'a failed discovery',
    [['NamespaceDeletionDiscoveryFailure', 'Discovery failed for metrics.k8s.io/v1beta1']],
    {
      key: 'stacks-namespace-stuck',
      vars: {
        namespace: 'n',
        conditions: 'NamespaceDeletionDiscoveryFailure: Discovery failed for metrics.k8s.io/v1beta1',
      },
    },
  ],
  [
    'content that could not be deleted, of kinds that may not be read',
    [
      ['NamespaceDeletionContentFailure', 'webhook refused'],
      ['NamespaceContentRemaining', 'Some resources are remaining: widgets.example.com has 2 resource instances'],
    ],
    {
      key: 'stacks-namespace-remaining',
      vars: {
        namespace: 'n',
        conditions:
          'NamespaceDeletionContentFailure: webhook refused; NamespaceContentRemaining: Some resources are remaining: widgets.example.com has 2 resource instances',
        objects: 'widgets.example.com (2)',
      },
    },
  ],
] satisfies [string, Parameters<typeof ending>, object | null][])('%s', async (_, conditions, reason) => {
  expect(await whatHolds(refusing, ending(...conditions))).toEqual(reason)
})
