import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { admitLocal } from '../../../../test/kube-api.ts'
import { labCluster, nameByDigest } from '../../../../test/lab.ts'
import { until } from '../../../../test/own-namespace.ts'
import { testApp, type TestApp } from '../../../../test/test-app.ts'
import { parseKubeconfig } from '../../../adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const lab = labCluster()

describe.skipIf(lab === undefined)('deletions in a real cluster (needs the lab’s kube)', async () => {
  const kubeconfig = lab === undefined ? '' : readFileSync(lab.kubeconfig, 'utf8')
  const port = openKube({ admit: admitLocal })
  const [app, other] = [await testApp({ ports: { kube: port } }), await testApp({ ports: { kube: port } })]
  // not through the server, which drops clusters without an environment
  const past = openKube({ admit: admitLocal })
  const direct = lab && past.cluster('direct', parseKubeconfig(kubeconfig)).kube
  const kube = () => {
    if (!direct) throw new Error('no lab')
    return direct
  }
  const run = `missing-${randomBytes(3).toString('hex')}`
  const namespaces: string[] = []

  /** An installation of the product, with a team of the same name on the same cluster. */
  async function installation(of: TestApp) {
    const team = await of.team(run)
    const body = { name: 'lab', kubeconfig, teamIds: [team.id] }
    const { uuid: envId } = await of.admin.call(clusters.create, { body })
    // Runs the server's loops, so that rounds come by themselves as for users.
    await of.firstThings()
    await of.startJobs()
    const create = async (name: string) => {
      const { id } = await team.leader.call(stacks.create, { params: { teamId: team.id }, body: { name, envId } })
      const read = () => team.leader.call(stacks.get, { params: { teamId: team.id, envId, stackId: id } })
      await until('the stack runs', async () => (await read()).state === 'running')
      namespaces.push((await read()).namespace)
      return { id, read }
    }
    return { team, envId, create }
  }
  let here: Awaited<ReturnType<typeof installation>>

  beforeAll(async () => {
    // a workload that is created again runs the same digest as before
    nameByDigest(lab?.kubeconfig ?? '', 'localhost/busybox:1')
    here = await installation(app)
  })
  afterAll(async () => {
    for (const name of namespaces) await direct?.remove(kinds.namespaces, { name })
    await port.close()
    await past.close()
  })

  test('a deleted workload and then a deleted namespace are reported within half a minute, and restarting the service restores them', async () => {
    const { team, envId, create } = here
    const stack = await create('shop')
    const { namespace } = await stack.read()
    const { id } = await team.leader.call(services.create, {
      params: { teamId: team.id, stackId: stack.id, serviceName: 'web' },
      body: { image: 'localhost/busybox:1', command: ['sleep', '3600'], resources: { cpu: '0.1', memory: '32Mi' } },
    })
    const read = () => team.leader.call(services.get, { params: { teamId: team.id, envId, id } })
    const stable = () => until('the service is stable', async () => (await read()).state === 'stable', 90)
    const restart = () =>
      team.leader.call(services.restart, { params: { teamId: team.id, envId, stackName: 'shop' }, body: ['web'] })
    await stable()

    await kube().remove(kinds.deployments, { name: 'web', namespace })
    await until('the workload is missed', async () => (await read()).state === 'failed', 30)
    expect((await read()).message).toContain(`no longer exists in the namespace ${namespace}`)
    await restart()
    await stable()

    await kube().remove(kinds.namespaces, { name: namespace })
    await until('the namespace is missed', async () => (await stack.read()).state === 'failed', 30)
    expect(await stack.read()).toMatchObject({ healthyNum: 0, message: expect.stringContaining(namespace) })
    expect(await read()).toMatchObject({ state: 'failed', message: expect.stringContaining(namespace) })
    await restart()
    await stable()
    expect(await stack.read()).toMatchObject({ state: 'running', healthyNum: 1, namespace })
  }, 300_000)

  test('a stack whose deletion an object blocks names it, and its name is free once the object is gone', async () => {
    const { team, envId, create } = here
    const { id, read } = await create('held')
    const { namespace } = await read()
    const map = { name: 'ledger', namespace }
    await kube().create(kinds.configMaps, { metadata: { ...map, finalizers: ['example.com/audit'] } })
    const params = { teamId: team.id, envId, stackId: id }
    await team.leader.call(stacks.remove, { params, query: { confirm: 'held' } })
    try {
      await until('the holder is named', async () => (await read()).message !== '', 60)
      const { state, message } = await read()
      expect(state).toBe('deleting')
      expect(message).toContain('configmaps/ledger (example.com/audit)')
      expect(message).toContain('NamespaceFinalizersRemaining: Some content in the namespace has finalizers remaining')
    } finally {
      await kube().merge(kinds.configMaps, map, { metadata: { finalizers: null } })
    }
    const isGone = async () => (await team.leader.request(stacks.get, { params })).statusCode === 404
    await until('the stack has gone', isGone, 60)
    expect((await (await create('held')).read()).namespace).toBe(namespace)
  }, 180_000)

  test('another installation on the cluster creates its own namespace for a stack of the same name', async () => {
    const first = await (await here.create('books')).read()
    const second = await (await (await installation(other)).create('books')).read()
    expect([first.namespace, second.namespace]).toEqual([
      `${run}-books`,
      expect.stringMatching(new RegExp(`^${run}-books-[0-9a-f]{8}$`)),
    ])
    const { metadata } = await kube().get(kinds.namespaces, { name: first.namespace })
    expect(metadata?.labels).toMatchObject({ 'gantry.dev/stack': first.uuid })
  })
})
