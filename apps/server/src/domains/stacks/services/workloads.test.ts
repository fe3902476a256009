import { readFileSync } from 'node:fs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { services } from '@gantry/contract/stacks/services'
import type { ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { stacks } from '@gantry/contract/stacks/stacks'
import { mask } from '@gantry/contract/validators'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseKubeconfig } from '../../../adapters/kube/transport/kubeconfig.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { startSandbox } from '../../../../test/sandbox.ts'
import { testApp } from '../../../../test/test-app.ts'

const sandbox = await startSandbox()
const kubeconfig = readFileSync(sandbox.kubeconfig, 'utf8')
const kube = openKube({ admit: async () => ({ addresses: [{ address: '127.0.0.1', family: 4 }] }) })
const app = await testApp({ ports: { kube } })
afterAll(async () => {
  await kube.close()
  await sandbox.stop()
})
const direct = () => kube.cluster('direct', parseKubeconfig(kubeconfig)).kube

let envId = ''
let team: Awaited<ReturnType<typeof app.team>>
beforeAll(async () => {
  team = await app.team()
  const body = { name: 'sandbox', kubeconfig, teamIds: [team.id] }
  envId = (await app.admin.call(clusters.create, { body })).uuid
})

let made = 0
const newStack = async () => {
  const body = { name: `stack-${++made}`, envId }
  const { id } = await team.leader.call(stacks.create, { params: { teamId: team.id }, body })
  return team.leader.call(stacks.get, { params: { teamId: team.id, envId, stackId: id } })
}
const of = (id: number) => ({ params: { teamId: team.id, envId, id } })
const small = { cpu: '0.1', memory: '32Mi' }
const create = (stackId: number, more: Partial<ServiceSpecInput>, serviceName = 'web') =>
  team.leader.call(services.create, {
    params: { teamId: team.id, stackId, serviceName },
    body: { image: 'registry.example.test/web:1', resources: small, ...more },
  })
const upgrade = (id: number, more: Partial<ServiceSpecInput>) =>
  team.leader.call(services.upgrade, {
    ...of(id),
    body: { image: 'registry.example.test/web:2', resources: small, ...more },
  })

const settled = (id: number, ...wanted: string[]) =>
  eventually(
    async () => {
      await app.reconcile()
      return team.leader.call(services.get, of(id))
    },
    (service) => wanted.includes(service.state),
  )

async function running(more: Partial<ServiceSpecInput>, state = 'stable') {
  const stack = await newStack()
  const { id } = await create(stack.id, more)
  return { stack, service: await settled(id, state), ref: { name: 'web', namespace: stack.namespace } }
}
/** Its pods end at once. */
const quick = { beforeStop: { type: 'command' as const, command: ['true'] } }
const claim = { name: 'data', path: '/data', type: 'claim', size: '1Gi' } as const

describe.concurrent('the document of a service', () => {
  test('determines its pods', async () => {
    const { ref } = await running({
      replicas: 2,
      workingDirectory: '/srv',
      ports: [{ port: 8080 }],
      readiness: { type: 'http', port: 8080, path: '/ready', periodSeconds: 4 },
      liveness: { type: 'command', command: ['true'], delaySeconds: 9 },
      startup: { type: 'tcp', port: 8080, failures: 90 },
      lifecycle: { afterStart: { type: 'command', command: ['echo', 'up'] }, beforeStop: { type: 'http', port: 8080 } },
      terminationSeconds: 60,
      rollout: { type: 'rolling', surge: '50%', unavailable: 1 },
      placement: {
        apart: ['web'],
        spread: 'hosts',
        hosts: [{ key: 'gantry.dev/none', not: true }],
        tolerations: [{ key: 'disk', value: 'slow', effect: 'NoSchedule' }],
      },
      dns: { servers: ['10.0.0.53'], searches: ['example.test'] },
      security: { user: 1000, nonRoot: true, readOnlyRoot: true, drop: ['ALL'] },
      metrics: { port: 8080 },
      labels: [{ key: 'tier', value: 'front' }],
      annotations: [{ key: 'example.test/owner', value: 'grace' }],
    })
    const { spec } = await direct().get(kinds.deployments, ref)
    expect(spec?.strategy?.rollingUpdate).toEqual({ maxSurge: '50%', maxUnavailable: 1 })
    expect(spec?.template.metadata).toMatchObject({
      labels: { tier: 'front' },
      annotations: {
        'example.test/owner': 'grace',
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': '8080',
        'prometheus.io/path': '/metrics',
      },
    })
    expect(spec?.template.spec).toMatchObject({
      terminationGracePeriodSeconds: 65,
      securityContext: { runAsUser: 1000, runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      dnsConfig: { nameservers: ['10.0.0.53'], searches: ['example.test'] },
      topologySpreadConstraints: [{ topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' }],
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: { matchLabels: { 'app.kubernetes.io/name': 'web' } } },
          ],
        },
      },
      containers: [
        {
          workingDir: '/srv',
          readinessProbe: { httpGet: { port: 8080, path: '/ready' }, periodSeconds: 4 },
          livenessProbe: { exec: { command: ['true'] }, initialDelaySeconds: 9 },
          startupProbe: { tcpSocket: { port: 8080 }, failureThreshold: 90 },
          lifecycle: {
            postStart: { exec: { command: ['echo', 'up'] } },
            preStop: { httpGet: { port: 8080, path: '/' } },
          },
          securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        },
      ],
    })
    expect(spec?.template.spec?.tolerations).toContainEqual({
      key: 'disk',
      operator: 'Equal',
      value: 'slow',
      effect: 'NoSchedule',
    })
    const budget = await direct().get(kinds.disruptionBudgets, ref)
    expect(budget.spec?.maxUnavailable).toBe(1)
  })

  test('puts files into the main container, and shows secret ones in no answer', async () => {
    const files = [
      { path: '/etc/app/web.conf', content: 'listen 8080' },
      { path: '/etc/app/key_file', content: 'a very secret key', secret: true },
    ]
    const { service, ref } = await running({ files })
    expect(service.spec.files?.map(({ content }) => content)).toEqual(['listen 8080', mask])
    const name = 'web.files'
    const config = await direct().get(kinds.configMaps, { ...ref, name })
    expect(Object.values(config.data ?? {})).toEqual(['listen 8080'])
    const { template } = (await direct().get(kinds.deployments, ref)).spec ?? {}
    expect(template?.spec?.containers[0]?.volumeMounts).toMatchObject([
      { mountPath: '/etc/app/web.conf', subPath: 'etc_-app_-web.conf' },
      { mountPath: '/etc/app/key_file', subPath: 'etc_-app_-key__file' },
    ])
    // a masked file keeps its content; a removed one is deleted with its objects
    await upgrade(service.id, { files: service.spec.files })
    await settled(service.id, 'upgraded')
    const kept = await direct().get(kinds.secrets, { ...ref, name })
    expect(Object.values(kept.data ?? {}).map((text) => Buffer.from(text, 'base64').toString())).toEqual([
      'a very secret key',
    ])
    await team.leader.call(services.confirm, of(service.id))
    await upgrade(service.id, {})
    await settled(service.id, 'upgraded')
    expect(await direct().find(kinds.secrets, { ...ref, name })).toBeUndefined()
    expect(await direct().find(kinds.configMaps, { ...ref, name })).toBeUndefined()
  })

  test('starts other containers in order, with secrets and volumes of the service', async () => {
    const { service, ref } = await running({
      volumes: [{ name: 'shared', path: '/shared', type: 'empty', size: '64Mi' }],
      containers: [
        {
          name: 'migrate',
          role: 'init',
          image: 'registry.example.test/migrate:1',
          command: ['sh', '-c', 'echo migrated'],
          environment: [{ name: 'PASSWORD', value: 'hunter2', secret: true }],
          resources: small,
        },
        {
          name: 'proxy',
          role: 'side',
          image: 'registry.example.test/proxy:1',
          resources: small,
          mounts: [{ volume: 'shared', path: '/in', readOnly: true }],
        },
      ],
    })
    expect(service.spec.containers?.[0]?.environment[0]?.value).toBe(mask)
    expect(service.takes.cpu).toBeCloseTo(0.4)
    const { items } = await team.leader.call(services.containers, of(service.id))
    expect(items.map(({ name }) => name).sort()).toEqual(['proxy', 'web'])
    const { template } = (await direct().get(kinds.deployments, ref)).spec ?? {}
    expect(template?.spec?.initContainers).toMatchObject([
      {
        name: 'migrate',
        env: [{ valueFrom: { secretKeyRef: { name: 'web.containers', key: 'migrate.PASSWORD' } } }],
      },
      { name: 'proxy', restartPolicy: 'Always', volumeMounts: [{ name: 'shared', mountPath: '/in', readOnly: true }] },
    ])
  })

  test('is refused with the names that conflict with other services', async () => {
    const stack = await newStack()
    await create(stack.id, { volumes: [{ name: 'cache', path: '/cache', type: 'empty' }] }, 'api')
    const refused = async (more: Partial<ServiceSpecInput>, key: string, name = 'web') =>
      expect(create(stack.id, more, name)).rejects.toMatchObject({ key })
    await refused({ volumes: [{ ...claim, name: 'api' }] }, 'stacks-volume-named-as-service')
    await refused({}, 'stacks-service-named-as-volume', 'cache')
    await refused({ placement: { beside: ['nobody'] } }, 'stacks-neighbour-unknown')
    await refused({ containers: [{ name: 'web', role: 'side', image: 'x' }] }, 'stacks-container-named-as-service')
    await refused({ workload: 'cronjob', schedule: { cron: '0 0 31 2 *' } }, 'cron-never')
    await refused({ workload: 'cronjob', schedule: { cron: '0 3 * * *', zone: 'Mars/Base' } }, 'zone-unknown')
  })
})

describe.concurrent('a CronJob', () => {
  test('is stable as soon as it exists in the cluster, and its Job runs in its slot', async () => {
    const { ref } = await running({ workload: 'cronjob', command: ['true'], schedule: { cron: '* * * * *' } })
    const ended = async () => {
      const { items } = await direct().list(kinds.jobs, { namespace: ref.namespace })
      return items.some(({ status }) => status?.succeeded === 1)
    }
    // Move its last slot some minutes back, so that the test does not wait for the clock.
    const { server, auth } = parseKubeconfig(kubeconfig)
    const lastScheduleTime = `${new Date(Date.now() - 150_000).toISOString().slice(0, 19)}Z`
    const url = `${server}/apis/batch/v1/namespaces/${ref.namespace}/cronjobs/${ref.name}/status`
    const { status } = await fetch(url, {
      method: 'PATCH',
      headers: {
        'content-type': 'application/merge-patch+json',
        authorization: `Bearer ${auth.kind === 'token' ? auth.token : ''}`,
      },
      body: JSON.stringify({ status: { lastScheduleTime } }),
    })
    expect(status).toBe(200)
    await eventually(async () => expect(await ended()).toBe(true))
  })
})

describe.concurrent('a StatefulSet', () => {
  test('has a claim and an address for each instance, and is upgraded and rolled back', async ({ expect }) => {
    const same: Partial<ServiceSpecInput> = {
      workload: 'statefulset',
      replicas: 2,
      ports: [{ port: 5432 }],
      volumes: [claim],
      lifecycle: quick,
    }
    const { service, stack, ref } = await running(same)
    const { namespace } = ref
    const claims = async () =>
      (await direct().list(kinds.persistentVolumeClaims, { namespace })).items.map(({ metadata }) => metadata?.name)
    expect((await claims()).sort()).toEqual(['data-web-0', 'data-web-1'])
    expect((await direct().get(kinds.services, ref)).spec?.clusterIP).toBe('None')
    expect(service).toMatchObject({ workload: 'statefulset', replicas: 2, ready: 2 })

    await upgrade(service.id, same)
    await settled(service.id, 'upgraded')
    await team.leader.call(services.rollBack, of(service.id))
    expect(await settled(service.id, 'stable')).toMatchObject({ image: 'registry.example.test/web:1' })
    await expect(upgrade(service.id, { ...same, volumes: [{ ...claim, size: '2Gi' }] })).rejects.toMatchObject({
      key: 'stacks-claims-fixed',
    })
    await expect(upgrade(service.id, {})).rejects.toMatchObject({ key: 'stacks-workload-fixed' })
    await team.leader.call(services.scale, { ...of(service.id), query: { replicas: 1 } })
    await settled(service.id, 'stable')

    await team.leader.call(services.remove, {
      params: { teamId: team.id, envId, idAndType: `${service.id}_business` },
      query: { confirm: 'web' },
    })
    const gone = async () => {
      await app.reconcile()
      const list = { params: { teamId: team.id, envId, uuid: stack.uuid } }
      return (await team.leader.call(services.list, list)).items.length
    }
    await expect.poll(gone).toBe(0)
    expect(await direct().find(kinds.statefulSets, ref)).toBeUndefined()
    // user data is kept
    expect((await claims()).sort()).toEqual(['data-web-0', 'data-web-1'])
  })

  test('is rolled back if its new version does not start', async ({ expect }) => {
    const { service } = await running({ workload: 'statefulset', lifecycle: quick })
    await team.leader.call(services.upgrade, {
      ...of(service.id),
      body: { image: 'gone.invalid/web:2', resources: small, workload: 'statefulset', lifecycle: quick },
    })
    const trouble = async () => {
      await app.reconcile()
      return (await team.leader.call(services.get, of(service.id))).message
    }
    await expect.poll(trouble).toContain('cannot be pulled')
    await team.leader.call(services.cancel, of(service.id))
    expect(await settled(service.id, 'stable')).toMatchObject({ image: 'registry.example.test/web:1', ready: 1 })
  })
})

test.concurrent('only a stopped service can be started, and gets its former number of instances', async () => {
  const { service } = await running({ replicas: 2, terminationSeconds: 1, lifecycle: quick })
  const start = () => team.leader.call(services.start, of(service.id))
  await expect(start()).rejects.toMatchObject({ status: 409, key: 'stacks-not-stopped' })
  await team.leader.call(services.scale, { ...of(service.id), query: { replicas: 0 } })
  await settled(service.id, 'stopped')
  await start()
  expect(await settled(service.id, 'stable')).toMatchObject({ replicas: 2, ready: 2 })
})

test.concurrent('a DaemonSet runs on every host, and cannot be scaled', async () => {
  const { service } = await running({ workload: 'daemonset', replicas: 3 })
  const hosts = (await direct().list(kinds.nodes, {})).items.length
  const { items } = await team.leader.call(services.containers, of(service.id))
  expect(new Set(items.map(({ node }) => node)).size).toBe(items.length)
  expect(items.length).toBeLessThanOrEqual(hosts)
  expect(service).toMatchObject({ replicas: items.length, ready: items.length })
  await expect(team.leader.call(services.scale, { ...of(service.id), query: { replicas: 1 } })).rejects.toMatchObject({
    status: 409,
    key: 'stacks-not-scaled',
  })
})

describe.concurrent('a Job', () => {
  const echo: Partial<ServiceSpecInput> = { workload: 'job', command: ['sh', '-c', 'echo done'] }

  test('is stable once it has run to its end, and an upgrade or a restart runs it again', async () => {
    const { service, ref } = await running({ ...echo, job: { completions: 2, parallelism: 2 } })
    const first = await direct().get(kinds.jobs, ref)
    expect(first.status?.succeeded).toBe(2)
    expect(service).toMatchObject({ replicas: 0, message: '' })
    await upgrade(service.id, echo)
    expect(await settled(service.id, 'stable')).toMatchObject({ image: 'registry.example.test/web:2', previous: null })
    const second = await direct().get(kinds.jobs, ref)
    expect(second.metadata?.uid).not.toBe(first.metadata?.uid)
    await team.leader.call(services.restart, {
      params: { teamId: team.id, envId, stackName: service.stackName },
      body: ['web'],
    })
    await settled(service.id, 'stable')
    expect((await direct().get(kinds.jobs, ref)).metadata?.uid).not.toBe(second.metadata?.uid)
  })

  test('that fails shows the reason', async () => {
    const { service } = await running(
      { workload: 'job', command: ['sh', '-c', 'exit 3'], job: { retries: 0 } },
      'failed',
    )
    expect(service.message).toContain('backoff limit')
  })
})
