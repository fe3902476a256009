import { readFileSync } from 'node:fs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { collection } from '@gantry/contract/log-shipping/collection'
import { kafka } from '@gantry/contract/log-shipping/kafka'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, describe, expect, test } from 'vitest'
import { admitLocal } from '../../../test/kube-api.ts'
import { labCluster } from '../../../test/lab.ts'
import { testApp } from '../../../test/test-app.ts'
import * as kinds from '../../adapters/kube/resources.ts'
import { parseKubeconfig } from '../../adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../../adapters/kube/transport/pool.ts'

const lab = labCluster()
const ref = { name: 'gantry-logs', namespace: 'gantry-logs' }
const nothing = async () => {}

describe.skipIf(lab === undefined)('collectors in a real cluster (needs the lab’s kube)', async () => {
  const kubeconfig = lab === undefined ? '' : readFileSync(lab.kubeconfig, 'utf8')
  const port = openKube({ admit: admitLocal })
  const app = await testApp({
    ports: { kube: port, kafka: { verify: nothing, open: async () => ({ send: nothing, close: nothing }) } },
  })
  const kube = lab && port.cluster('direct', parseKubeconfig(kubeconfig)).kube
  const home = { name: ref.namespace }
  const ended = async () => (await kube?.find(kinds.namespaces, home)) === undefined
  afterAll(async () => {
    if (!(await ended())) await kube?.remove(kinds.namespaces, home)
    await eventually(ended, Boolean, { ms: 60_000, everyMs: 250 })
    await port.close()
  })

  test('are accepted, follow a change, and are deleted completely', { timeout: 120_000 }, async () => {
    const { uuid } = await app.admin.call(clusters.create, { body: { name: 'real', kubeconfig } })
    const { audit: _, ...unset } = await app.admin.call(kafka.get)
    const login = { sasl: 'scram-sha-512' as const, userName: 'gantry', password: 'hunter2hunter2' }
    await app.admin.call(kafka.set, { body: { ...unset, ...login, enabled: true, brokers: ['kafka.test:9092'] } })
    const choose = async (more: object) => {
      const { kafka: __, collectors: ___, ...stored } = await app.admin.call(collection.get)
      await app.admin.call(collection.set, { body: { ...stored, ...more } })
      await app.reconcile()
      return app.admin.call(collection.get)
    }
    const first = await choose({ environments: [uuid] })
    expect(first.collectors).toMatchObject([{ state: 'completed', problem: '' }])
    // wait until the controller has counted the hosts
    await expect
      .poll(async () => (await app.admin.call(collection.get)).collectors[0]?.desired, { timeout: 30_000 })
      .toBeGreaterThan(0)

    const second = await choose({ multiline: 'go', streams: 'stderr', memory: 256 })
    expect(second.collectors).toMatchObject([{ state: 'completed', problem: '' }])
    expect(second.collectors[0]?.hash).not.toBe(first.collectors[0]?.hash)
    const set = await kube?.get(kinds.daemonSets, ref)
    expect(set?.spec?.template.metadata?.annotations?.['gantry.dev/content']).toBe(second.collectors[0]?.hash)
    expect(set?.spec?.template.spec?.containers[0]?.resources?.limits).toEqual({ memory: '256Mi' })

    expect((await choose({ environments: [] })).collectors).toEqual([])
    await expect.poll(ended, { timeout: 60_000 }).toBe(true)
    expect(await kube?.find(kinds.clusterRoles, { name: ref.name })).toBeUndefined()
    expect(await kube?.find(kinds.clusterRoleBindings, { name: ref.name })).toBeUndefined()
  })
})
