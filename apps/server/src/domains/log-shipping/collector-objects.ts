import { createHash } from 'node:crypto'
import type {
  V1ClusterRole,
  V1ClusterRoleBinding,
  V1ConfigMap,
  V1DaemonSet,
  V1PodSpec,
  V1Secret,
} from '@kubernetes/client-node'
import { annotations, labels, madeFor } from '../../adapters/kube/labels.ts'
import type { Ref, Wire } from '../../adapters/kube/objects.ts'
import { type Collecting, configOf, files, limitOf, namespace, paths, variables } from './fluent-bit.ts'

/** Name of all these objects. Their namespace is not the agent's, in which no pod may read files of a host. */
const name = 'gantry-logs'

export const collectorRef = { name, namespace } satisfies Ref

const metadataOf = (clusterId: string) => ({
  name,
  labels: { ...madeFor(clusterId), [labels.name]: name },
})

export const namespaceOf = (clusterId: string) => ({
  metadata: {
    ...metadataOf(clusterId),
    name: namespace,
    labels: { ...madeFor(clusterId), 'pod-security.kubernetes.io/enforce': 'privileged' },
  },
})

/** Owned by the namespace, so that a cluster that deletes it deletes these too. */
const owned = (clusterId: string, uid: string) => ({
  ...metadataOf(clusterId),
  ownerReferences: [{ apiVersion: 'v1', kind: 'Namespace', name: namespace, uid }],
})

export const clusterRoleOf = (clusterId: string, uid: string): Wire<V1ClusterRole> => ({
  metadata: owned(clusterId, uid),
  rules: [{ apiGroups: [''], resources: ['pods', 'namespaces'], verbs: ['get', 'list', 'watch'] }],
})

export const bindingOf = (clusterId: string, uid: string): Wire<V1ClusterRoleBinding> => ({
  metadata: owned(clusterId, uid),
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
  subjects: [{ kind: 'ServiceAccount', name, namespace }],
})

const variable = (name: string, key: string) => ({
  name,
  valueFrom: { secretKeyRef: { name: collectorRef.name, key } },
})

const pod = ({ logs }: Collecting): Wire<V1PodSpec> => ({
  serviceAccountName: name,
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  // also on hosts that are dedicated to a team or otherwise tainted
  tolerations: [{ operator: 'Exists' }],
  terminationGracePeriodSeconds: 10,
  containers: [
    {
      name: 'fluent-bit',
      image: logs.image,
      command: ['/fluent-bit/bin/fluent-bit', '-c', `${paths.config}/${files.config}`],
      env: [variable(variables.user, 'user'), variable(variables.password, 'password')],
      ports: [{ name: 'http', containerPort: 2020 }],
      readinessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 10 },
      // log files of containers belong to root
      securityContext: {
        runAsUser: 0,
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'], add: ['DAC_READ_SEARCH'] },
      },
      resources: {
        requests: { cpu: '20m', memory: `${Math.min(64, logs.memory)}Mi` },
        limits: { memory: `${logs.memory}Mi` },
      },
      volumeMounts: [
        { name: 'config', mountPath: paths.config, readOnly: true },
        { name: 'kafka', mountPath: paths.kafka, readOnly: true },
        { name: 'logs', mountPath: '/var/log', readOnly: true },
        { name: 'docker', mountPath: '/var/lib/docker/containers', readOnly: true },
        { name: 'state', mountPath: paths.state },
      ],
    },
  ],
  volumes: [
    { name: 'config', configMap: { name } },
    { name: 'kafka', secret: { secretName: name, items: [{ key: files.ca, path: files.ca }] } },
    { name: 'logs', hostPath: { path: '/var/log', type: '' } },
    // where the links in /var/log/containers lead if the host runs Docker
    { name: 'docker', hostPath: { path: '/var/lib/docker/containers', type: 'DirectoryOrCreate' } },
    { name: 'state', hostPath: { path: paths.state, type: 'DirectoryOrCreate' } },
  ],
})

const base64 = (text: string): string => Buffer.from(text).toString('base64')

export interface CollectorObjects {
  configMap: Wire<V1ConfigMap>
  secret: Wire<V1Secret>
  daemonSet: Wire<V1DaemonSet>
  /** Of everything that the pods read: a new hash restarts them. */
  hash: string
}

export function collectorObjects(clusterId: string, collecting: Collecting): CollectorObjects {
  const { kafka, logs } = collecting
  const metadata = { ...metadataOf(clusterId), namespace }
  const data = { [files.config]: configOf(collecting), [files.limit]: limitOf(logs) }
  const secret = { user: base64(kafka.userName), password: base64(kafka.password), [files.ca]: base64(kafka.ca) }
  const hash = createHash('sha256')
    .update(JSON.stringify([data, secret]))
    .digest('hex')
    .slice(0, 12)
  const own = { [labels.name]: name }
  return {
    hash,
    configMap: { metadata, data },
    secret: { metadata, type: 'Opaque', data: secret },
    daemonSet: {
      metadata,
      spec: {
        selector: { matchLabels: own },
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%' } },
        template: {
          metadata: { labels: { ...madeFor(clusterId), ...own }, annotations: { [annotations.content]: hash } },
          spec: pod(collecting),
        },
      },
    },
  }
}

export const accountOf = (clusterId: string) => ({ metadata: { ...metadataOf(clusterId), namespace } })
