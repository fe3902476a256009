import { randomBytes } from 'node:crypto'
import { takeovers } from '@gantry/contract/blueprints/takeovers'
import { services } from '@gantry/contract/stacks/services'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labApp } from '../../../../test/lab-app.ts'
import { labCluster, nameByDigest } from '../../../../test/lab.ts'
import { until } from '../../../../test/own-namespace.ts'
import { tenWorkloads } from '../../../../test/ten-workloads.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const lab = labCluster()
const image = 'localhost/busybox:1'

describe.skipIf(lab === undefined)('a namespace of a real cluster (needs the lab’s kube)', async () => {
  const { app, kube, join, runJobs } = await labApp()
  const namespace = `shop-${randomBytes(3).toString('hex')}`
  const volumes = ['store', 'data-db-0', 'data-db-1']
  const ten = tenWorkloads(image, (port) => `exec httpd -f -p ${port} -h /tmp`)
  let team: Awaited<ReturnType<typeof app.team>>
  let envId = ''

  const uids = async () =>
    Object.fromEntries(
      (await kube().list(kinds.pods, { namespace })).items.map(({ metadata }) => [metadata?.name, metadata?.uid]),
    )
  const deployment = (name: string) => kube().get(kinds.deployments, { name, namespace })

  beforeAll(async () => {
    nameByDigest(lab?.kubeconfig ?? '', image)
    await kube().apply(kinds.namespaces, { metadata: { name: namespace } })
    await until('a service account', () => kube().find(kinds.serviceAccounts, { namespace, name: 'default' }))
    for (const name of volumes)
      await kube().apply(kinds.persistentVolumes, {
        metadata: { name: `${namespace}-${name}` },
        spec: {
          capacity: { storage: '16Mi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: `/tmp/${namespace}-${name}`, type: 'DirectoryOrCreate' },
          claimRef: { namespace, name },
        },
      })
    await ten.make(kube(), namespace)
    await until(
      'all of it runs',
      async () => {
        const [all, sets, daemons] = await Promise.all([
          kube().list(kinds.deployments, { namespace }),
          kube().list(kinds.statefulSets, { namespace }),
          kube().list(kinds.daemonSets, { namespace }),
        ])
        return (
          all.items.every(({ spec, status }) => status?.availableReplicas === spec?.replicas) &&
          sets.items.every(({ spec, status }) => status?.availableReplicas === spec?.replicas) &&
          daemons.items.every(({ status }) => (status?.numberAvailable ?? 0) > 0)
        )
      },
      180,
    )
    team = await app.team(`takeover-${randomBytes(3).toString('hex')}`)
    envId = await join(team)
    await runJobs()
  }, 300_000)
  afterAll(async () => {
    await kube().remove(kinds.namespaces, { name: namespace })
    for (const name of volumes) await kube().remove(kinds.persistentVolumes, { name: `${namespace}-${name}` })
  })

  let ids = new Map<string, number>()
  const one = (name: string) => ({ params: { teamId: team.id, envId, id: ids.get(name) ?? 0 } })

  test('ten workloads are taken over and keep the uids of their pods', async () => {
    const before = await uids()
    expect(Object.keys(before).length).toBeGreaterThanOrEqual(15)
    const params = { t: team.id, appId: 'none' as const }
    const body = { envId, namespace, stackName: 'shop' }
    const { take, workloads } = await app.admin.call(takeovers.check, { params, body })
    expect(workloads.flatMap(({ name, wrong, lost }) => [...wrong, ...lost].map((reason) => [name, reason]))).toEqual(
      [],
    )
    expect(take.toSorted()).toEqual(ten.names)
    const { uuid } = await app.admin.call(takeovers.takeOver, { params, body: { ...body, take } })
    const list = async () =>
      (await team.leader.call(services.list, { params: { teamId: team.id, envId, uuid }, query: { pageSize: -1 } }))
        .items
    const all = await until(
      'every service is stable',
      async () => {
        const now = await list()
        const failed = now.find(({ state }) => state === 'failed')
        if (failed) throw new Error(`${failed.name}: ${failed.message}`)
        return now.length === 10 && now.every(({ state }) => state === 'stable') && now
      },
      180,
    )
    ids = new Map(all.map(({ name, id }) => [name, id]))
    expect(await uids()).toEqual(before)
    const { items } = await kube().list(kinds.pods, { namespace })
    for (const { metadata } of items)
      expect(metadata?.labels?.[labels.service]).toBe(String(ids.get(metadata?.labels?.['app'] ?? '')))
    expect((await deployment('web')).spec?.paused).toBeUndefined()
    // a replaced pod has the product's labels
    const worker = items.find(({ metadata }) => metadata?.labels?.['app'] === 'worker')?.metadata?.name ?? ''
    await kube().remove(kinds.pods, { name: worker, namespace })
    await until('another worker', async () => {
      const now = await kube().list(kinds.pods, { namespace, labels: `${labels.service}=${ids.get('worker')}` })
      return now.items.filter(({ status }) => status?.phase === 'Running').length >= 3
    })
    for (const name of ['agent', 'collector']) {
      const { spec } = await kube().get(kinds.daemonSets, { name, namespace })
      expect(spec?.updateStrategy?.type).toBe('RollingUpdate')
    }
  }, 300_000)

  test('a later upgrade removes the fields that the document no longer has, whoever wrote them', async () => {
    for (const name of ['web', 'db', 'agent']) {
      const { spec } = await team.leader.call(services.get, one(name))
      const environment = [
        ...spec.environment.filter((variable) => variable.name !== 'OLD'),
        { name: 'NEW', value: '1', secret: false },
      ]
      await team.leader.call(services.upgrade, { ...one(name), body: { ...spec, environment } })
      await until(
        `${name} is upgraded`,
        async () => {
          const { state, message } = await team.leader.call(services.get, one(name))
          if (state === 'failed') throw new Error(`${name}: ${message}`)
          return state === 'upgraded' || state === 'stable'
        },
        180,
      )
    }
    const { spec } = await deployment('web')
    expect(spec?.template.spec?.containers.map(({ name }) => name)).toEqual(['web'])
    expect(spec?.template.spec?.containers[0]?.env?.map(({ name }) => name)).toEqual(['COLOUR', 'PASSWORD', 'NEW'])
    expect(spec?.template.spec?.volumes?.map(({ name }) => name)).not.toContain('conf')
    expect(spec?.selector).toEqual({ matchLabels: { app: 'web' } })
    const address = await kube().get(kinds.services, { name: 'web', namespace })
    expect(address.spec?.ports?.map(({ port, targetPort }) => [port, targetPort]).sort()).toEqual([
      [80, 8080],
      [8080, 8080],
    ])
    const claims = await kube().list(kinds.persistentVolumeClaims, { namespace })
    expect(claims.items.map(({ metadata }) => metadata?.name).sort()).toEqual(volumes.toSorted())
  }, 300_000)
})
