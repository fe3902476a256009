import { kindOf } from './kinds.ts'
import type { ObjectOf } from './object-of.ts'
import { canonicalQuantity } from './quantity.ts'
import { isRecord } from './record.ts'
import { entryType, rootType, structOf, type Type } from './schema.ts'
import type * as t from './types.ts'
import type * as w from './workloads.ts'

/** Sets absent fields. */
function fill<T extends object>(target: T, defaults: { [K in keyof T]?: unknown } & Record<string, unknown>): void {
  const open = target as Record<string, unknown>
  for (const [name, value] of Object.entries(defaults)) {
    if (open[name] === undefined || open[name] === null) open[name] = structuredClone(value)
  }
}

const untagged = (image: string): boolean => {
  if (image.includes('@')) return false
  const last = image.slice(image.lastIndexOf('/') + 1)
  return !last.includes(':') || last.endsWith(':latest')
}

const canonical = (amounts: Record<string, string> | undefined): void => {
  for (const [name, amount] of Object.entries(amounts ?? {})) if (amounts) amounts[name] = canonicalQuantity(amount)
}

export function defaultContainer(container: t.Container): void {
  fill(container, {
    imagePullPolicy: untagged(container.image ?? '') ? 'Always' : 'IfNotPresent',
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  })
  for (const port of container.ports ?? []) fill(port, { protocol: 'TCP' })
  for (const variable of container.env ?? [])
    if (variable.valueFrom?.fieldRef) fill(variable.valueFrom.fieldRef, { apiVersion: 'v1' })
  canonical(container.resources?.requests)
  canonical(container.resources?.limits)
  const probes = container as { livenessProbe?: t.Probe } & t.Container
  for (const probe of [probes.readinessProbe, probes.startupProbe, probes.livenessProbe]) {
    if (!probe) continue
    fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 })
    const { httpGet } = probe as { httpGet?: object }
    if (httpGet) fill(httpGet, { path: '/', scheme: 'HTTP' })
  }
}

export function defaultPodSpec(spec: t.PodSpec): void {
  fill(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  })
  if (spec.serviceAccountName) fill(spec, { serviceAccount: spec.serviceAccountName })
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) defaultContainer(container)
  for (const volume of spec.volumes ?? []) {
    const kinds = Object.keys(volume).length
    if (kinds === 1) fill(volume, { emptyDir: {} })
    if (volume.configMap) fill(volume.configMap, { defaultMode: 420 })
    if (volume.secret) fill(volume.secret, { defaultMode: 420 })
    if (volume.hostPath) fill(volume.hostPath, { type: '' })
  }
}

function defaultPod(pod: t.Pod): void {
  defaultPodSpec(pod.spec)
  fill(pod.spec, { enableServiceLinks: true, preemptionPolicy: 'PreemptLowerPriority', priority: 0 })
  for (const container of [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])]) {
    const { limits } = container.resources ?? {}
    if (limits && container.resources) container.resources.requests = { ...limits, ...container.resources.requests }
  }
  fill(pod, { status: { phase: 'Pending' } })
}

export function qosClass(spec: t.PodSpec): string {
  const containers = [...(spec.initContainers ?? []), ...spec.containers]
  const all = containers.flatMap(({ resources }) => [resources?.requests ?? {}, resources?.limits ?? {}])
  if (all.every((amounts) => amounts['cpu'] === undefined && amounts['memory'] === undefined)) return 'BestEffort'
  const guaranteed = containers.every(({ resources }) =>
    ['cpu', 'memory'].every(
      (name) =>
        resources?.limits?.[name] !== undefined &&
        (resources.requests?.[name] ?? resources.limits[name]) === resources.limits[name],
    ),
  )
  return guaranteed ? 'Guaranteed' : 'Burstable'
}

function defaultDeployment({ spec }: w.Deployment): void {
  fill(spec, { replicas: 1, strategy: {}, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 })
  fill(spec.strategy, { type: 'RollingUpdate' })
  if (spec.strategy.type === 'RollingUpdate') {
    fill(spec.strategy, { rollingUpdate: {} })
    fill(spec.strategy.rollingUpdate ?? {}, { maxUnavailable: '25%', maxSurge: '25%' })
  }
}

function defaultStatefulSet({ spec }: w.StatefulSet): void {
  fill(spec, {
    replicas: 1,
    podManagementPolicy: 'OrderedReady',
    updateStrategy: {},
    revisionHistoryLimit: 10,
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
  })
  fill(spec.updateStrategy, { type: 'RollingUpdate' })
  if (spec.updateStrategy.type === 'RollingUpdate') {
    fill(spec.updateStrategy, { rollingUpdate: {} })
    fill(spec.updateStrategy.rollingUpdate ?? {}, { partition: 0 })
  }
  for (const claim of spec.volumeClaimTemplates ?? []) {
    fill(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', status: { phase: 'Pending' } })
    fill(claim.spec, { volumeMode: 'Filesystem' })
  }
}

function defaultJob(job: w.Job): void {
  const { spec, metadata } = job
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1
  fill(spec, {
    parallelism: 1,
    backoffLimit: 6,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: 'TerminatingOrFailed',
  })
  // At creation the uid is set only now; at an update the selector exists already.
  if (spec.selector) return
  const own = { 'batch.kubernetes.io/controller-uid': metadata.uid }
  const names = {
    'batch.kubernetes.io/job-name': metadata.name,
    'controller-uid': metadata.uid,
    'job-name': metadata.name,
  }
  spec.selector = { matchLabels: own }
  spec.template.metadata = {
    ...spec.template.metadata,
    labels: { ...spec.template.metadata?.labels, ...own, ...names },
  }
}

function defaultService(service: t.Service): void {
  const { spec } = service
  fill(service, { status: { loadBalancer: {} } })
  fill(spec, { type: 'ClusterIP', sessionAffinity: 'None' })
  for (const port of spec.ports ?? []) fill(port, { protocol: 'TCP', targetPort: port.port })
  if (spec.type === 'ExternalName') return
  fill(spec, { internalTrafficPolicy: 'Cluster', ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' })
  if (spec.type !== 'ClusterIP') fill(spec, { externalTrafficPolicy: 'Cluster' })
  if (spec.type === 'LoadBalancer') fill(spec, { allocateLoadBalancerNodePorts: true })
}

function defaultSecret(secret: t.Secret): void {
  fill(secret, { type: 'Opaque' })
  for (const [name, text] of Object.entries(secret.stringData ?? {}))
    secret.data = { ...secret.data, [name]: Buffer.from(text).toString('base64') }
  delete secret.stringData
}

const defaults: { [K in keyof ObjectOf]?: (object: ObjectOf[K]) => void } & Record<string, unknown> = {
  pods: defaultPod,
  namespaces(namespace) {
    fill(namespace, { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } })
    const labels = { ...namespace.metadata.labels, 'kubernetes.io/metadata.name': namespace.metadata.name }
    namespace.metadata.labels = labels
  },
  services: defaultService,
  secrets: defaultSecret,
  persistentvolumeclaims(claim) {
    fill(claim, { status: { phase: 'Pending' } })
    fill(claim.spec, { volumeMode: 'Filesystem' })
    canonical(claim.spec.resources?.requests)
  },
  persistentvolumes(volume) {
    const { spec, metadata } = volume
    fill(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' })
    if (spec.hostPath) fill(spec.hostPath, { type: '' })
    canonical(spec.capacity)
    fill(volume, { status: { phase: 'Pending', lastPhaseTransitionTime: metadata.creationTimestamp } })
  },
  'storageclasses.storage.k8s.io'(storage) {
    fill(storage, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' })
  },
  resourcequotas(quota) {
    canonical(quota.spec?.hard)
    fill(quota, { status: {} })
  },
  nodes(node) {
    fill(node, { spec: {}, status: {} })
  },
  'deployments.apps'(deployment) {
    defaultPodSpec(deployment.spec.template.spec)
    defaultDeployment(deployment)
    fill(deployment, { status: {} })
  },
  'replicasets.apps'(set) {
    defaultPodSpec(set.spec.template.spec)
    fill(set.spec, { replicas: 1 })
    fill(set, { status: { replicas: 0 } })
  },
  'statefulsets.apps'(set) {
    defaultPodSpec(set.spec.template.spec)
    defaultStatefulSet(set)
    fill(set, { status: { replicas: 0, availableReplicas: 0 } })
  },
  'daemonsets.apps'(set) {
    defaultPodSpec(set.spec.template.spec)
    fill(set.spec, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } } })
    fill(set.spec, { revisionHistoryLimit: 10 })
    fill(set, {
      status: { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 },
    })
  },
  'jobs.batch'(job) {
    defaultPodSpec(job.spec.template.spec)
    defaultJob(job)
    fill(job, { status: {} })
  },
  'cronjobs.batch'(cronJob) {
    const { spec } = cronJob
    defaultPodSpec(spec.jobTemplate.spec.template.spec)
    fill(spec, {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    })
    fill(cronJob, { status: {} })
  },
  'poddisruptionbudgets.policy'(budget) {
    fill(budget, { status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 } })
  },
  'ingresses.networking.k8s.io'(ingress: t.Obj) {
    fill(ingress, { status: { loadBalancer: {} } })
  },
  'networkpolicies.networking.k8s.io'(policy: t.Obj) {
    const spec = policy.spec as { egress?: unknown; policyTypes?: string[] }
    spec.policyTypes ??= spec.egress ? ['Ingress', 'Egress'] : ['Ingress']
  },
  'roles.rbac.authorization.k8s.io': defaultRules,
  'clusterroles.rbac.authorization.k8s.io': defaultRules,
  'rolebindings.rbac.authorization.k8s.io': defaultSubjects,
  'clusterrolebindings.rbac.authorization.k8s.io': defaultSubjects,
}

/** Absent rules are written as null. */
function defaultRules(role: t.Role): void {
  if (!role.rules?.length) role.rules = null
}

function defaultSubjects(binding: t.RoleBinding): void {
  for (const subject of binding.subjects ?? [])
    if (subject.kind !== 'ServiceAccount') fill(subject, { apiGroup: 'rbac.authorization.k8s.io' })
}

/** Sets the defaults that the real API server sets before it stores an object. Modifies `object`. */
export function applyDefaults(resource: string, object: t.Obj): void {
  const set = defaults[resource] as ((object: t.Obj) => void) | undefined
  set?.(object)
  if (kindOf(resource).custom) fillFrom(rootType(resource), object)
}

/** Sets the defaults of a schema, from the outside to the inside. */
function fillFrom(type: Type | undefined, value: unknown): void {
  if (type?.kind === 'list' && Array.isArray(value)) for (const item of value as unknown[]) fillFrom(type.item, item)
  if (!isRecord(value)) return
  if (type?.kind === 'struct')
    for (const [name, one] of structOf(type.name).defaults) value[name] ??= structuredClone(one)
  for (const [name, one] of Object.entries(value)) fillFrom(entryType(type, name), one)
}
