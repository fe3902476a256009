import { text } from 'node:stream/consumers'
import { type Kube, pathOf } from '../src/adapters/kube/client.ts'
import type { KubeObject } from '../src/adapters/kube/objects.ts'
import * as kinds from '../src/adapters/kube/resources.ts'

const limits = { limits: { cpu: '50m', memory: '16Mi' } }

/**
 * A namespace in which somebody deployed ten workloads by hand, with what they use. `serve` is the command that listens
 * on a port.
 */
export function tenWorkloads(image: string, serve = (_port: number): string => 'sleep 3600') {
  const pod = (app: string, more: object = {}, spec: object = {}) => ({
    metadata: { labels: { app, made: 'by-hand' } },
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [{ name: app, image, command: ['sh', '-c', 'sleep 3600'], resources: limits, ...more }],
      ...spec,
    },
  })
  const of = (app: string) => ({ matchLabels: { app } })
  const workload = (app: string, more: object = {}, template = pod(app)) => ({
    metadata: { name: app, labels: { app } },
    spec: { selector: of(app), template, ...more },
  })
  const service = (name: string, app: string, port: object, more: object = {}) => ({
    metadata: { name },
    spec: { selector: { app }, ports: [port], ...more },
  })
  const web = pod(
    'web',
    {
      name: 'app',
      command: ['sh', '-c', serve(8080)],
      ports: [{ name: 'http', containerPort: 8080 }],
      env: [
        { name: 'COLOUR', valueFrom: { configMapKeyRef: { name: 'settings', key: 'colour' } } },
        { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'keys', key: 'password' } } },
        { name: 'OLD', value: 'goes' },
      ],
      volumeMounts: [{ name: 'conf', mountPath: '/etc/conf' }],
    },
    { volumes: [{ name: 'conf', configMap: { name: 'settings' } }] },
  )
  const store = [{ name: 'store', persistentVolumeClaim: { claimName: 'store' } }]
  const api = pod('api', { resources: {}, volumeMounts: [{ name: 'store', mountPath: '/store' }] }, { volumes: store })
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '16Mi' } } }
  const db = pod('db', { command: ['sh', '-c', serve(5432)], volumeMounts: [{ name: 'data', mountPath: '/data' }] })
  const objects: [kinds.Resource, KubeObject & { spec?: object; data?: object; stringData?: object }][] = [
    [kinds.configMaps, { metadata: { name: 'settings' }, data: { colour: 'blue' } }],
    [kinds.secrets, { metadata: { name: 'keys' }, stringData: { password: 'tidal-cobalt-47' } }],
    [kinds.persistentVolumeClaims, { metadata: { name: 'store' }, spec: claim }],
    [kinds.services, service('web', 'web', { name: 'www', port: 80, targetPort: 'http' })],
    [kinds.services, service('front', 'web', { port: 8000, targetPort: 8080 })],
    [kinds.services, service('db-peers', 'db', { port: 5432 }, { clusterIP: 'None' })],
    [kinds.deployments, workload('web', { replicas: 2 }, web)],
    [kinds.deployments, workload('api', { strategy: { type: 'Recreate' } }, api)],
    [kinds.deployments, workload('worker', { replicas: 3 })],
    [kinds.deployments, workload('cache', { replicas: 2 })],
    [kinds.deployments, workload('site')],
    [kinds.disruptionBudgets, { metadata: { name: 'cache' }, spec: { minAvailable: 1, selector: of('cache') } }],
    [
      kinds.statefulSets,
      workload(
        'db',
        {
          replicas: 2,
          serviceName: 'db-peers',
          volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
        },
        db,
      ),
    ],
    [kinds.statefulSets, workload('queue', { replicas: 2, serviceName: 'queue', podManagementPolicy: 'Parallel' })],
    [kinds.daemonSets, workload('agent')],
    [kinds.daemonSets, workload('collector')],
    [
      kinds.cronJobs,
      {
        metadata: { name: 'nightly' },
        spec: {
          schedule: '0 3 * * *',
          concurrencyPolicy: 'Forbid',
          jobTemplate: { spec: { template: pod('nightly', {}, { restartPolicy: 'Never' }) } },
        },
      },
    ],
  ]
  return {
    names: ['agent', 'api', 'cache', 'collector', 'db', 'nightly', 'queue', 'site', 'web', 'worker'],
    /** Creates them like kubectl, which then manages their fields. */
    make: async (kube: Kube, namespace: string): Promise<void> => {
      for (const [resource, object] of objects) {
        const { status, body } = await kube.pass({
          method: 'POST',
          path: pathOf(resource, namespace, ''),
          query: { fieldManager: 'kubectl-create' },
          body: { ...object, apiVersion: kinds.apiVersionOf(resource), kind: resource.kind },
        })
        const said = await text(body)
        if (status !== 201) throw new Error(`${resource.kind} ${object.metadata?.name}: ${said}`)
      }
    },
  }
}
