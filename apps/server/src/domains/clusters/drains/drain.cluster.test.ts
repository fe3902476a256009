import { readFileSync } from 'node:fs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { hosts } from '@gantry/contract/clusters/hosts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { admitLocal } from '../../../../test/kube-api.ts'
import { labCluster } from '../../../../test/lab.ts'
import { type OwnNamespace, ownNamespace, until } from '../../../../test/own-namespace.ts'
import { testApp } from '../../../../test/test-app.ts'

const lab = labCluster()

describe.skipIf(lab === undefined)('a drain of a real node (needs the lab’s kube)', async () => {
  const port = openKube({ admit: admitLocal })
  const app = await testApp({ ports: { kube: port } })
  const replica = await testApp({ ports: { kube: port }, beside: { database: app.database, admin: app.admin } })
  let own: OwnNamespace
  let host = ''
  let env = ''
  const params = () => ({ env, host })
  const maintain = (enable: boolean) => app.admin.call(hosts.maintenance, { params: params(), body: { enable } })
  const readDrain = async () => (await app.admin.call(hosts.get, { params: params() })).maintenance

  /** Runs rounds on alternating replicas until the condition holds. */
  const drained = async (what: string, so: (now: NonNullable<Awaited<ReturnType<typeof readDrain>>>) => boolean) => {
    let turn = 0
    return until(what, async () => {
      await app.db.updateTable('host_drain').set({ lease_until: '2000-01-01T00:00:00Z' }).execute()
      await (turn++ % 2 === 0 ? app : replica).reconcile()
      const now = await readDrain()
      return now && so(now) ? now : undefined
    })
  }

  /** Waits until the cluster's own workloads run again: other suites need them. */
  const systemRuns = () =>
    until('the cluster’s own workloads', async () => {
      const { items } = await own.kube.list(kinds.deployments, { namespace: 'kube-system' })
      return items.every(({ status }) => (status?.readyReplicas ?? 0) > 0)
    })

  beforeAll(async () => {
    const kubeconfig = lab?.kubeconfig ?? ''
    own = await ownNamespace(kubeconfig)
    const { items } = await own.kube.list(kinds.nodes)
    host =
      items.find(({ metadata }) => metadata?.annotations?.['kwok.x-k8s.io/node'] === undefined)?.metadata?.name ?? ''
    const body = { name: 'lab', kubeconfig: readFileSync(kubeconfig, 'utf8'), teamIds: [] }
    env = (await app.admin.call(clusters.create, { body })).uuid
  })
  afterAll(async () => {
    if (lab === undefined) return
    await own.kube.merge(kinds.nodes, { name: host }, { spec: { unschedulable: null } })
    await systemRuns()
    await own.close()
    await port.close()
  })

  test('the control plane’s host cannot be drained', async () => {
    const role = (value: string | null) =>
      own.kube.merge(
        kinds.nodes,
        { name: host },
        { metadata: { labels: { 'node-role.kubernetes.io/control-plane': value } } },
      )
    await role('')
    try {
      await expect(maintain(true)).rejects.toMatchObject({ status: 409, key: 'hosts-controller' })
    } finally {
      await role(null)
    }
    expect((await own.kube.get(kinds.nodes, { name: host })).spec?.unschedulable).toBeUndefined()
  })

  test('a kubelet without log query is refused with the missing setting', async () => {
    await expect(app.admin.call(hosts.logs, { params: params() })).rejects.toMatchObject({ key: 'hosts-log-off' })
  })

  test('a disruption budget blocks the drain and then allows it, two replicas alternate, and the host is uncordoned at the end', async () => {
    const { kube, namespace, labels } = own
    const template = own.podOf(
      'web',
      'while true; do sleep 1; done',
      {},
      { nodeSelector: { 'kubernetes.io/hostname': host } },
    )
    await kube.apply(kinds.deployments, {
      metadata: { name: 'web', namespace },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: template.spec },
      },
    })
    await until('both pods', async () => {
      const { status } = await kube.get(kinds.deployments, { namespace, name: 'web' })
      return (status?.readyReplicas ?? 0) === 2
    })
    const budget = { namespace, name: 'web' }
    await kube.apply(kinds.disruptionBudgets, {
      metadata: budget,
      spec: { minAvailable: 2, selector: { matchLabels: labels } },
    })
    await until('the budget', async () => {
      const { status } = await kube.get(kinds.disruptionBudgets, budget)
      return status?.currentHealthy === 2
    })

    await maintain(true)
    expect((await app.admin.call(hosts.get, { params: params() })).state).toBe('maintenance')
    const waits = await drained('the budget’s refusals', ({ waiting, left }) => {
      const ours = waiting.filter((one) => one.namespace === namespace)
      return left === 2 && ours.length === 2
    })
    for (const { reason } of waits.waiting)
      expect(reason).toMatch(/The disruption budget web needs 2 healthy pods and has 2 currently/)
    const still = await kube.list(kinds.pods, { namespace, labels: own.selection.labels })
    expect(still.items.map(({ metadata }) => metadata?.deletionTimestamp)).toEqual([undefined, undefined])

    await kube.merge(kinds.disruptionBudgets, budget, { spec: { minAvailable: 0 } })
    const done = await drained('the end', ({ state }) => state === 'done')
    expect(done).toMatchObject({ left: 0, waiting: [] })
    expect(done.total).toBeGreaterThanOrEqual(2)
    const { items } = await kube.list(kinds.pods, { fields: `spec.nodeName=${host}` })
    const stayed = items.filter(({ metadata }) => metadata?.ownerReferences?.[0]?.kind !== 'DaemonSet')
    expect(stayed.filter(({ status }) => status?.phase === 'Running')).toEqual([])

    await maintain(false)
    expect((await kube.get(kinds.nodes, { name: host })).spec?.unschedulable).toBeUndefined()
    expect((await app.admin.call(hosts.get, { params: params() })).state).toBe('ready')
    await systemRuns()
  })
})
