/** The fields of Kubernetes' objects that the sandbox itself reads or writes. All others pass through unchanged. */

import type { NodeSelector, Toleration } from './places.ts'

export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

export interface ManagedFields {
  manager: string
  operation: 'Apply' | 'Update'
  apiVersion: string
  time?: string
  fieldsType: 'FieldsV1'
  fieldsV1: FieldTree
  subresource?: string
}
/** FieldsV1: `f:<field>`, `k:<merge keys as JSON>` and `v:<value>` lead down; `.` is the item itself; an empty tree is a leaf. */
export interface FieldTree {
  [segment: string]: FieldTree
}

export interface Meta {
  name: string
  namespace?: string
  generateName?: string
  uid: string
  resourceVersion: string
  generation?: number
  creationTimestamp: string
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  labels?: Record<string, string>
  annotations?: Record<string, string>
  ownerReferences?: OwnerReference[]
  finalizers?: string[]
  managedFields?: ManagedFields[]
}

export interface Obj {
  apiVersion: string
  kind: string
  metadata: Meta
  spec?: unknown
  status?: unknown
}

export interface LabelSelector {
  matchLabels?: Record<string, string>
  matchExpressions?: { key: string; operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'; values?: string[] }[]
}

export interface Condition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason?: string
  message?: string
  lastTransitionTime?: string
  lastUpdateTime?: string
  lastProbeTime?: string | null
}

export interface Probe {
  initialDelaySeconds?: number
  periodSeconds?: number
  exec?: { command?: string[] }
}

export interface EnvVar {
  name: string
  value?: string
  valueFrom?: {
    configMapKeyRef?: { name: string; key: string; optional?: boolean }
    secretKeyRef?: { name: string; key: string; optional?: boolean }
    fieldRef?: { fieldPath: string }
  }
}

export interface Resources {
  requests?: Record<string, string>
  limits?: Record<string, string>
}

export interface Container {
  name: string
  image: string
  imagePullPolicy?: string
  command?: string[]
  args?: string[]
  workingDir?: string
  env?: EnvVar[]
  envFrom?: {
    prefix?: string
    configMapRef?: { name: string; optional?: boolean }
    secretRef?: { name: string; optional?: boolean }
  }[]
  ports?: { name?: string; containerPort: number; protocol?: string; hostPort?: number }[]
  resources?: Resources
  readinessProbe?: Probe
  startupProbe?: Probe
  lifecycle?: { preStop?: { sleep?: { seconds: number }; exec?: { command?: string[] } } }
  volumeMounts?: { name: string; mountPath: string; subPath?: string }[]
  restartPolicy?: string
  securityContext?: { privileged?: boolean; readOnlyRootFilesystem?: boolean; capabilities?: { add?: string[] } }
}

export interface Volume {
  name: string
  configMap?: { name: string; optional?: boolean }
  secret?: { secretName: string; optional?: boolean }
  persistentVolumeClaim?: { claimName: string }
  hostPath?: { path: string }
}

/** Pods beside which, or apart from which, a pod runs: on nodes with the same value of a label. */
export interface PodTerm {
  labelSelector?: LabelSelector
  namespaces?: string[]
  topologyKey: string
}

export interface PodSpec {
  containers: Container[]
  initContainers?: Container[]
  /** Added to a running pod, to inspect it. */
  ephemeralContainers?: (Container & { targetContainerName?: string })[]
  volumes?: Volume[]
  nodeName?: string
  nodeSelector?: Record<string, string>
  affinity?: {
    nodeAffinity?: { requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector }
    podAffinity?: { requiredDuringSchedulingIgnoredDuringExecution?: PodTerm[] }
    podAntiAffinity?: { requiredDuringSchedulingIgnoredDuringExecution?: PodTerm[] }
  }
  tolerations?: Toleration[]
  restartPolicy?: 'Always' | 'OnFailure' | 'Never'
  terminationGracePeriodSeconds?: number
  activeDeadlineSeconds?: number
  serviceAccountName?: string
  serviceAccount?: string
  hostname?: string
  subdomain?: string
  hostNetwork?: boolean
  hostPID?: boolean
  hostIPC?: boolean
  imagePullSecrets?: { name: string }[]
  readinessGates?: { conditionType: string }[]
}

export interface ContainerState {
  waiting?: { reason: string; message?: string }
  running?: { startedAt: string }
  terminated?: {
    exitCode: number
    reason: string
    startedAt: string
    finishedAt: string
    containerID: string
    message?: string
  }
}

export interface ContainerStatus {
  name: string
  image: string
  imageID: string
  ready: boolean
  started: boolean
  restartCount: number
  state: ContainerState
  lastState: ContainerState
  containerID?: string
}

export interface PodStatus {
  phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'
  conditions?: Condition[]
  containerStatuses?: ContainerStatus[]
  initContainerStatuses?: ContainerStatus[]
  ephemeralContainerStatuses?: ContainerStatus[]
  hostIP?: string
  hostIPs?: { ip: string }[]
  podIP?: string
  podIPs?: { ip: string }[]
  startTime?: string
  qosClass?: string
  reason?: string
  message?: string
  observedGeneration?: number
}

export interface Pod extends Obj {
  spec: PodSpec
  status: PodStatus
}

export interface PodTemplate {
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> }
  spec: PodSpec
}

export interface ServicePort {
  name?: string
  port: number
  protocol: string
  targetPort: number | string
  nodePort?: number
}
export interface Service extends Obj {
  spec: {
    type: string
    ports?: ServicePort[]
    selector?: Record<string, string>
    clusterIP?: string
    clusterIPs?: string[]
    externalName?: string
    publishNotReadyAddresses?: boolean
  }
}

export interface EndpointAddress {
  ip: string
  nodeName?: string
  targetRef?: { kind: string; namespace: string; name: string; uid: string }
}
export interface Endpoints extends Obj {
  subsets?: {
    addresses?: EndpointAddress[]
    notReadyAddresses?: EndpointAddress[]
    ports?: { name?: string; port: number; protocol: string }[]
  }[]
}

export interface Namespace extends Obj {
  spec: { finalizers?: string[] }
  status: { phase: 'Active' | 'Terminating'; conditions?: Condition[] }
}

export interface ResourceQuota extends Obj {
  spec: { hard?: Record<string, string> }
  status: { hard?: Record<string, string>; used?: Record<string, string> }
}
export interface LimitRange extends Obj {
  spec: {
    limits: {
      type: string
      default?: Record<string, string>
      defaultRequest?: Record<string, string>
      min?: Record<string, string>
      max?: Record<string, string>
    }[]
  }
}

export interface ConfigMap extends Obj {
  data?: Record<string, string>
  binaryData?: Record<string, string>
  immutable?: boolean
}
export interface Secret extends Obj {
  data?: Record<string, string>
  stringData?: Record<string, string>
  type: string
  immutable?: boolean
}

export interface ObjectReference {
  apiVersion?: string
  kind?: string
  namespace?: string
  name?: string
  uid?: string
  resourceVersion?: string
  fieldPath?: string
}
export interface Event extends Obj {
  involvedObject: ObjectReference
  reason?: string
  message?: string
  type?: string
  count?: number
  firstTimestamp?: string | null
  lastTimestamp?: string | null
  source?: { component?: string; host?: string }
  eventTime?: string | null
  reportingComponent?: string
  reportingInstance?: string
}

export interface PolicyRule {
  verbs: string[]
  apiGroups?: string[]
  resources?: string[]
  resourceNames?: string[]
  nonResourceURLs?: string[]
}
export interface Role extends Obj {
  rules?: PolicyRule[] | null
}
export interface RoleBinding extends Obj {
  subjects?: { kind: string; name: string; namespace?: string; apiGroup?: string }[]
  roleRef: { apiGroup: string; kind: string; name: string }
}
