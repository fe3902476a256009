import { readFileSync } from 'node:fs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { openstack } from '@gantry/contract/openstack/openstack'
import { zones } from '@gantry/contract/openstack/zones'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, describe, expect, test } from 'vitest'
import { fakeIds, fakeOpenStack } from '../../../test/fake-openstack.ts'
import { labCluster } from '../../../test/lab.ts'
import { testApp } from '../../../test/test-app.ts'
import { parseKubeconfig } from '../../adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../../adapters/kube/transport/pool.ts'
import * as kinds from '../../adapters/kube/resources.ts'
import { createOpenStack } from '../../adapters/openstack/openstack.ts'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { kuryrNamespace } from './zone-objects.ts'

const lab = labCluster()

describe.skipIf(lab === undefined)(`zones in a real cluster${lab ? '' : ' (skipped: there is no lab)'}`, async () => {
  const kubeconfig = lab === undefined ? '' : readFileSync(lab.kubeconfig, 'utf8')
  const kube = openKube({ admit: async () => ({ addresses: [{ address: '127.0.0.1', family: 4 }] }) })
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  const app = await testApp({ ports: { kube, outbound, openstack: createOpenStack(outbound) } })
  const cloud = await fakeOpenStack()
  const direct = lab && kube.cluster('direct', parseKubeconfig(kubeconfig)).kube
  const before = await direct?.find(kinds.namespaces, { name: kuryrNamespace })
  afterAll(async () => {
    if (direct && !before) {
      const home = { name: kuryrNamespace }
      await direct.remove(kinds.namespaces, home)
      // the next test would find a namespace that is being deleted
      await eventually(async () => expect(await direct.find(kinds.namespaces, home)).toBeUndefined(), undefined, {
        ms: 60_000,
        everyMs: 250,
      })
    }
    await cloud[Symbol.asyncDispose]()
    await outbound.close()
    await kube.close()
  })

  test('both objects are created, and both are deleted with the connection', async () => {
    const { uuid: env } = await app.admin.call(clusters.create, { body: { name: 'real', kubeconfig } })
    const body = { name: 'cloud', keystone: cloud.account }
    const { uuid } = await app.admin.call(openstack.create, { params: { env }, body })
    const name = `real.${Date.now().toString(36)}`
    const neutronDefaults = {
      project: fakeIds.project,
      podSecurityGroups: [fakeIds.open],
      podSubnet: fakeIds.pods,
      serviceSubnet: fakeIds.services,
    }
    const zone = await app.admin.call(zones.create, {
      params: { env },
      body: { type: 'normal', name, openStackUuid: uuid, neutronDefaults },
    })
    const ref = { namespace: kuryrNamespace, name: zone.written.configMap }
    expect(await direct?.get(kinds.configMaps, ref)).toMatchObject({
      metadata: {
        labels: { 'gantry.dev/zone': zone.uuid },
        managedFields: [{ manager: 'gantry', operation: 'Apply' }],
      },
    })
    expect(await direct?.get(kinds.secrets, ref)).toMatchObject({ type: 'Opaque' })
    await app.admin.call(openstack.remove, { params: { env, uuid } })
    expect(await direct?.find(kinds.configMaps, ref)).toBeUndefined()
    expect(await direct?.find(kinds.secrets, ref)).toBeUndefined()
  })
})
