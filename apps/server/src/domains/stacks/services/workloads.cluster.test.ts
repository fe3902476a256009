import { randomBytes } from 'node:crypto'
import { imports } from '@gantry/contract/blueprints/imports'
import { services } from '@gantry/contract/stacks/services'
import type { ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { stacks } from '@gantry/contract/stacks/stacks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { labApp } from '../../../../test/lab-app.ts'
import { kubectlOf } from '../../../../test/kubectl.ts'
import { labCluster, nameByDigest } from '../../../../test/lab.ts'
import { until } from '../../../../test/own-namespace.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const lab = labCluster()
const image = 'localhost/busybox:1'
const resources = { cpu: '0.1', memory: '32Mi' }

describe.skipIf(lab === undefined)('workloads on a real cluster (needs the lab’s kube)', async () => {
  const { app, kube, join, runJobs, stack } = await labApp()
  const name = `workloads-${randomBytes(3).toString('hex')}`
  let team: Awaited<ReturnType<typeof app.team>>
  let envId = ''
  let stackId = 0
  let namespace = ''

  beforeAll(async () => {
    nameByDigest(lab?.kubeconfig ?? '', image)
    team = await app.team(name)
    envId = await join(team)
    await runJobs()
    ;({ id: stackId, namespace } = await stack(team, envId))
  })
  let copied = ''
  afterAll(async () => {
    if (copied !== '') await kube().remove(kinds.namespaces, { name: copied })
    await kube().remove(kinds.namespaces, { name: namespace })
    await kube().remove(kinds.persistentVolumes, { name })
  })

  const read = (id: number) => team.leader.call(services.get, { params: { teamId: team.id, envId, id } })
  async function deployed(serviceName: string, more: Partial<ServiceSpecInput>, state = 'stable') {
    const { id } = await team.leader.call(services.create, {
      params: { teamId: team.id, stackId, serviceName },
      body: { image, resources, ...more },
    })
    await until(`${serviceName} is ${state}`, async () => (await read(id)).state === state, 90)
    return read(id)
  }
  const sleep = ['sh', '-c', 'sleep 3600']

  test('a StatefulSet is bound to its claim, passes its checks and reads its files', async () => {
    await kube().apply(kinds.persistentVolumes, {
      metadata: { name },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: name,
        hostPath: { path: `/tmp/${name}`, type: 'DirectoryOrCreate' },
        claimRef: { namespace, name: 'data-db-0' },
      },
    })
    const check = ['sh', '-c', 'grep -q open /etc/app/app.conf && test -s /etc/app/key']
    const service = await deployed('db', {
      workload: 'statefulset',
      command: sleep,
      ports: [{ port: 5432 }],
      volumes: [{ name: 'data', path: '/data', type: 'claim', size: '1Gi', storageClass: name }],
      files: [
        { path: '/etc/app/app.conf', content: 'open' },
        { path: '/etc/app/key', content: 'a secret', secret: true },
      ],
      startup: { type: 'command', command: check },
      readiness: { type: 'command', command: ['test', '-d', '/data'] },
      liveness: { type: 'command', command: check },
      containers: [{ name: 'first', role: 'init', image, command: ['true'], resources }],
    })
    expect(service).toMatchObject({ workload: 'statefulset', ready: 1, message: '' })
    const claim = await kube().get(kinds.persistentVolumeClaims, { name: 'data-db-0', namespace })
    expect(claim.status?.phase).toBe('Bound')
    expect((await kube().get(kinds.services, { name: 'db', namespace })).spec?.clusterIP).toBe('None')
  })

  test('a Job runs to its end, with a sidecar that ends with it', async () => {
    const service = await deployed('migrate', {
      workload: 'job',
      command: ['sh', '-c', 'echo done'],
      containers: [{ name: 'proxy', role: 'side', image, command: sleep, resources }],
    })
    expect(service).toMatchObject({ workload: 'job', state: 'stable' })
    expect((await kube().get(kinds.jobs, { name: 'migrate', namespace })).status?.succeeded).toBe(1)
  })

  test('a Job that fails is given up with the reason', async () => {
    const failing = { workload: 'job', command: ['sh', '-c', 'exit 3'], job: { retries: 0 } } as const
    const service = await deployed('broken', { ...failing, command: [...failing.command] }, 'failed')
    expect(service.message).toContain('backoff limit')
  })

  test('a CronJob starts its Job every minute', async () => {
    const service = await deployed('nightly', {
      workload: 'cronjob',
      command: ['true'],
      schedule: { cron: '* * * * *', zone: 'Asia/Shanghai' },
    })
    const labels = `gantry.dev/service=${service.id}`
    const started = async () => (await kube().list(kinds.jobs, { namespace, labels })).items.length > 0
    await until('a Job was started', started, 90)
  }, 150_000)

  test('a DaemonSet and a Deployment with a budget run beside each other', async () => {
    expect(await deployed('agent', { workload: 'daemonset', command: sleep })).toMatchObject({ ready: 1, replicas: 1 })
    await deployed('web', { replicas: 2, command: sleep, rollout: { type: 'healthy', healthy: 1 } })
    const budget = await kube().get(kinds.disruptionBudgets, { name: 'web', namespace })
    expect(budget.spec?.maxUnavailable).toBe(1)
  })

  test('an exported stack is accepted by kubectl, and can be imported as running services', async () => {
    const { yaml } = await team.leader.call(stacks.yaml, { params: { id: stackId } })
    const items = parseAllDocuments(yaml).map((one) => one.toJS() as { kind: string })
    expect(new Set(items.map(({ kind }) => kind))).toContain('CronJob')
    if (lab)
      await kubectlOf(lab)(
        ['apply', '--server-side', '--force-conflicts', '--field-manager=reader', '--dry-run=server', '-f', '-'],
        { apiVersion: 'v1', kind: 'List', items },
      )
    const params = { teamId: team.id, envId, stackName: 'copy' }
    const body = { text: yaml, leaveOut: ['db', 'migrate', 'broken', 'nightly'] }
    const { notes, plan } = await team.leader.call(imports.check, { params, body })
    expect({ notes, refusals: plan?.refusals }).toEqual({ notes: [], refusals: [] })
    const { uuid, namespace: into } = await team.leader.call(imports.create, { params, body })
    copied = into
    const list = async () =>
      (await team.leader.call(services.list, { params: { teamId: team.id, envId, uuid }, query: {} })).items
    await until('the copies run', async () => (await list()).every(({ state }) => state === 'stable'), 90)
    expect((await list()).map((one) => [one.name, one.ready]).toSorted()).toEqual([
      ['agent', 1],
      ['web', 2],
    ])
  })
})
