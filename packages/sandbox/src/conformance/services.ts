/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import type { Json } from './trial/client.ts'
import { deploymentOf, eventually, must, type Case, type CaseContext } from './trial/trial.ts'

/** Creates a deployment of a web server that is ready once the file /tmp/ready exists, with a service for it. */
async function serve(trial: CaseContext, image: string, spec: object = {}): Promise<string> {
  const { kube, at } = trial
  const name = trial.name('web')
  const container = {
    image,
    command: undefined,
    ports: [{ containerPort: 8080, name: 'http' }],
    readinessProbe: { httpGet: { port: 'http' }, periodSeconds: 1 },
  }
  must(await kube.call('POST', at('apps/v1', 'deployments'), { body: deploymentOf(name, {}, container) }), 201)
  const body = {
    metadata: { name, labels: { of: name } },
    spec: { selector: { app: name }, ports: [{ name: 'web', port: 80, targetPort: 'http' }], ...spec },
  }
  must(await kube.call('POST', at('v1', 'services'), { body }), 201)
  return name
}

export const serviceCases: Case[] = [
  {
    title: 'a service has an address, and its ready endpoints',
    async run(trial) {
      const { kube, at } = trial
      const name = await serve(trial, 'localhost/web:1')
      const service = must(await kube.call('GET', at('v1', 'services', name)), 200)
      expect(service.spec).toMatchObject({
        type: 'ClusterIP',
        clusterIP: expect.stringMatching(/^10\.96\.\d+\.\d+$/),
        clusterIPs: [service.spec.clusterIP],
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        internalTrafficPolicy: 'Cluster',
        sessionAffinity: 'None',
        ports: [{ name: 'web', port: 80, targetPort: 'http', protocol: 'TCP' }],
      })
      expect(service.status).toEqual({ loadBalancer: {} })
      const pod = await eventually(async () => {
        const { items } = must(
          await kube.call('GET', at('v1', 'pods'), { query: { labelSelector: `app=${name}` } }),
          200,
        )
        expect(items[0].status.podIP).toBeTruthy()
        return items[0]
      })
      const targetRef = {
        kind: 'Pod',
        namespace: pod.metadata.namespace,
        name: pod.metadata.name,
        uid: pod.metadata.uid,
      }
      const endpoints = await eventually(async () => {
        const found = must(await kube.call('GET', at('v1', 'endpoints', name)), 200)
        expect(found.subsets).toEqual([
          {
            addresses: [{ ip: pod.status.podIP, nodeName: pod.spec.nodeName, targetRef }],
            ports: [{ name: 'web', port: 8080, protocol: 'TCP' }],
          },
        ])
        return found
      })
      expect(endpoints.metadata.labels).toMatchObject({ of: name })
      const { items } = must(
        await kube.call('GET', at('discovery.k8s.io/v1', 'endpointslices'), {
          query: { labelSelector: `kubernetes.io/service-name=${name}` },
        }),
        200,
      )
      expect(items).toHaveLength(1)
      expect(items[0]).toMatchObject({
        addressType: 'IPv4',
        endpoints: [
          {
            addresses: [pod.status.podIP],
            conditions: { ready: true, serving: true, terminating: false },
            nodeName: pod.spec.nodeName,
            targetRef,
          },
        ],
        ports: [{ name: 'web', port: 8080, protocol: 'TCP' }],
        metadata: { ownerReferences: [{ kind: 'Service', name }] },
      })
      must(await kube.call('DELETE', at('v1', 'services', name)), 200)
      await eventually(async () => must(await kube.call('GET', at('v1', 'endpoints', name)), 404))
      await kube.call('DELETE', at('apps/v1', 'deployments', name), { body: { propagationPolicy: 'Background' } })
    },
  },
  {
    title: 'a request through the API server reaches a pod while one is ready',
    async run(trial) {
      const { kube, at } = trial
      const name = await serve(trial, 'localhost/web:1')
      const ask = () => kube.call('GET', `${at('v1', 'services', `${name}:web`)}/proxy/`)
      await eventually(async () => expect((await ask()).code).toBe(200))
      expect((await kube.call('GET', `${at('v1', 'services', `${name}:80`)}/proxy/`)).code).toBe(200)
      const none = await kube.call('GET', `${at('v1', 'services', `${name}:none`)}/proxy/`)
      expect(none.body).toMatchObject({ code: 503, message: `no endpoints available for service "${name}:none"` })
      const other = await kube.call('GET', `${at('v1', 'services', `${name}:81`)}/proxy/`)
      expect(other.body).toMatchObject({ code: 503, message: `no service port 81 found for service "${name}"` })
      const scale = { body: { spec: { replicas: 0 } }, type: 'application/merge-patch+json' }
      must(await kube.call('PATCH', `${at('apps/v1', 'deployments', name)}/scale`, scale), 200)
      const gone = await eventually(async () => {
        const answer = await ask()
        expect(answer.code).toBe(503)
        return answer
      })
      expect(gone.body).toMatchObject({
        kind: 'Status',
        reason: 'ServiceUnavailable',
        message: `no endpoints available for service "${name}"`,
      })
      must(await kube.call('GET', `${at('v1', 'services', 'nothing')}/proxy/`), 404)
      await kube.call('DELETE', at('apps/v1', 'deployments', name), { body: { propagationPolicy: 'Background' } })
    },
  },
  {
    title: 'types of services',
    async run({ kube, at, name }) {
      const make = async (spec: Json): Promise<Json> =>
        must(await kube.call('POST', at('v1', 'services'), { body: { metadata: { name: name('kind') }, spec } }), 201)
      const headless = await make({ clusterIP: 'None', selector: { app: 'none' } })
      expect([headless.spec.clusterIP, headless.spec.clusterIPs]).toEqual(['None', ['None']])
      const external = await make({ type: 'ExternalName', externalName: 'a.example' })
      expect(external.spec).toEqual({ type: 'ExternalName', externalName: 'a.example', sessionAffinity: 'None' })
      const published = await make({ type: 'NodePort', ports: [{ port: 80 }] })
      expect(published.spec.ports[0].nodePort).toBeGreaterThanOrEqual(30000)
      expect(published.spec.externalTrafficPolicy).toBe('Cluster')
      const balanced = await make({ type: 'LoadBalancer', ports: [{ port: 80 }] })
      expect(balanced.spec).toMatchObject({
        allocateLoadBalancerNodePorts: true,
        ports: [{ nodePort: expect.any(Number) }],
      })
      const taken = await kube.call('POST', at('v1', 'services'), {
        body: {
          metadata: { name: name('kind') },
          spec: { type: 'NodePort', ports: [{ port: 80, nodePort: published.spec.ports[0].nodePort }] },
        },
      })
      expect(taken.body).toMatchObject({ code: 422, reason: 'Invalid' })
      expect(taken.body.message).toContain(
        `spec.ports[0].nodePort: Invalid value: ${published.spec.ports[0].nodePort}: provided port is already allocated`,
      )
      for (const one of [headless, external, published, balanced])
        await kube.call('DELETE', at('v1', 'services', one.metadata.name))
    },
  },
  {
    title: 'an update keeps the address, and may not change it',
    async run({ kube, at, name }) {
      const metadata = { name: name('kept') }
      const made = must(
        await kube.call('POST', at('v1', 'services'), { body: { metadata, spec: { ports: [{ port: 80 }] } } }),
        201,
      )
      const path = at('v1', 'services', metadata.name)
      const next = must(await kube.call('PUT', path, { body: { metadata, spec: { ports: [{ port: 81 }] } } }), 200)
      expect(next.spec.clusterIP).toBe(made.spec.clusterIP)
      const moved = await kube.call('PUT', path, {
        body: { metadata, spec: { clusterIP: '10.96.200.200', clusterIPs: ['10.96.200.200'], ports: [{ port: 81 }] } },
      })
      expect(moved.body).toMatchObject({ code: 422, reason: 'Invalid' })
      expect(moved.body.message).toContain(
        'spec.clusterIPs[0]: Invalid value: ["10.96.200.200"]: may not change once set',
      )
      await kube.call('DELETE', path)
    },
  },
  {
    title: 'discovers version, groups and resources',
    async run({ kube }) {
      const version = must(await kube.call('GET', '/version'), 200)
      expect(version).toMatchObject({ major: '1', gitVersion: expect.stringMatching(/^v1\.3\d\.\d+/) })
      expect(must(await kube.call('GET', '/api'), 200)).toMatchObject({ kind: 'APIVersions', versions: ['v1'] })
      const { groups } = must(await kube.call('GET', '/apis'), 200)
      const apps = groups.find((group: Json) => group.name === 'apps')
      expect(apps).toEqual({
        name: 'apps',
        versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
        preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
      })
      expect(must(await kube.call('GET', '/apis/apps'), 200)).toMatchObject({ kind: 'APIGroup', name: 'apps' })
      const { resources, groupVersion } = must(await kube.call('GET', '/apis/apps/v1'), 200)
      expect(groupVersion).toBe('apps/v1')
      const deployment = resources.find((one: Json) => one.name === 'deployments')
      expect(deployment).toMatchObject({
        singularName: 'deployment',
        namespaced: true,
        kind: 'Deployment',
        shortNames: ['deploy'],
        categories: ['all'],
      })
      expect(deployment.verbs).toEqual([
        'create',
        'delete',
        'deletecollection',
        'get',
        'list',
        'patch',
        'update',
        'watch',
      ])
      const scale = resources.find((one: Json) => one.name === 'deployments/scale')
      expect(scale).toMatchObject({
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs: ['get', 'patch', 'update'],
      })
      const core = must(await kube.call('GET', '/api/v1'), 200).resources.map((one: Json) => one.name)
      for (const name of ['pods', 'pods/log', 'pods/exec', 'pods/eviction', 'services/proxy', 'namespaces/finalize'])
        expect(core).toContain(name)
      expect((await kube.call('GET', '/readyz')).text).toBe('ok')
    },
  },
  {
    title: 'lists nodes and their usage',
    async run({ kube }) {
      const { items } = must(await kube.call('GET', '/api/v1/nodes'), 200)
      const node = items.find((one: Json) =>
        one.status.conditions?.some((each: Json) => each.type === 'Ready' && each.status === 'True'),
      )
      expect(node.status).toMatchObject({
        allocatable: { cpu: expect.any(String), memory: expect.any(String), pods: expect.any(String) },
        nodeInfo: { kubeletVersion: expect.stringMatching(/^v1\./), operatingSystem: 'linux', architecture: 'amd64' },
      })
      const usage = must(await kube.call('GET', `/apis/metrics.k8s.io/v1beta1/nodes/${node.metadata.name}`), 200)
      expect(usage).toMatchObject({
        kind: 'NodeMetrics',
        apiVersion: 'metrics.k8s.io/v1beta1',
        window: expect.any(String),
        timestamp: expect.any(String),
        usage: { cpu: expect.stringMatching(/^\d+[num]?$/), memory: expect.stringMatching(/^\d+[KMG]i$/) },
      })
      const list = must(await kube.call('GET', '/apis/metrics.k8s.io/v1beta1/nodes'), 200)
      expect([list.kind, list.items.length > 0]).toEqual(['NodeMetricsList', true])
      must(await kube.call('GET', '/apis/metrics.k8s.io/v1beta1/nodes/nothing'), 404)
      expect(must(await kube.call('GET', '/apis/metrics.k8s.io/v1beta1/pods'), 200)).toMatchObject({
        kind: 'PodMetricsList',
      })
      const none = await kube.call('GET', '/apis/metrics.k8s.io/v1beta1/namespaces/default/pods/nothing')
      expect(none.body).toMatchObject({ code: 404, reason: 'NotFound' })
    },
  },
  {
    title: 'a cordoned node takes no new pods',
    async run({ kube, name }) {
      const metadata = { name: name('node') }
      must(await kube.call('POST', '/api/v1/nodes', { body: { metadata } }), 201)
      const path = `/api/v1/nodes/${metadata.name}`
      const cordon = { body: { spec: { unschedulable: true } }, type: 'application/merge-patch+json' }
      expect(must(await kube.call('PATCH', path, cordon), 200).spec.unschedulable).toBe(true)
      await eventually(async () => {
        const node = must(await kube.call('GET', path), 200)
        expect(node.spec.taints).toContainEqual(
          expect.objectContaining({ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }),
        )
      })
      must(await kube.call('DELETE', path), 200)
    },
  },
]
