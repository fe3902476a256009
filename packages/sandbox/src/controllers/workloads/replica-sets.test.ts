import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Cluster } from '../../cluster.ts'
import type { ReplicaSet } from '../../objects/workloads.ts'
import { newMeta, openStore } from '../../store/store.ts'
import { replicaSets } from './replica-sets.ts'

test('a set with refused pods is changed by the first refusal only, and so is not reconciled again at once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'replica-sets-'))
  const store = openStore(join(folder, 'objects.journal'))
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true })
  })
  const now = Date.parse('2026-01-01T00:00:00Z')
  const nothing = () => {
    throw new Error('no image is asked for')
  }
  const cluster: Cluster = { store, now: () => now, images: { pull: nothing } }
  const meta = (name: string) => ({ name, namespace: 'shop', ...newMeta(now) })
  store.put('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', ...newMeta(now) } })
  store.put('serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: meta('default') })
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: meta('share'), spec: { hard: { pods: '0' } } }
  store.put('resourcequotas', quota)
  const set: ReplicaSet = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: meta('web'),
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
    },
    status: { replicas: 0 },
  } as ReplicaSet
  store.put('replicasets.apps', set)
  const waits: number[] = []
  const look = () => {
    replicaSets.reconcile(cluster, 'shop', 'web', (ms) => waits.push(ms))
    return store.get('replicasets.apps', 'shop', 'web')
  }

  const refused = look()
  expect(refused?.status.conditions).toMatchObject([
    { type: 'ReplicaFailure', message: expect.stringContaining('exceeded quota: share') },
  ])
  expect(look()).toBe(refused)
  // it is retried later
  expect(waits).toEqual([5000, 5000])

  store.put('resourcequotas', { ...quota, spec: { hard: { pods: '1' } } })
  expect(look()?.status).toMatchObject({ replicas: 1 })
  expect(look()?.status.conditions).toBeUndefined()
})
