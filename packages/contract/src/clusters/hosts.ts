import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { labelKey, labelValue } from '../label-validators.ts'
import { clusterListQuery, listOf } from '../paging.ts'
import { clusterTopic, hostEventsTopic, hostsTopic } from './topics.ts'

/** A host is a node of a cluster and has the node's name. */
export const hostName = z
  .string()
  .max(253, 'host-name')
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'host-name')

/** CPU in cores, memory and disk in GiB, number of pods. */
const Figures = z.object({ cpu: z.number(), memory: z.number(), disk: z.number(), pods: z.number() })

export const Taint = z.strictObject({
  key: labelKey,
  value: labelValue.default(''),
  effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
})
export type Taint = z.infer<typeof Taint>

/** Progress of a drain. `waiting`: pods that cannot be evicted yet, and why, in the caller's language. */
export const Maintenance = z.object({
  state: z.enum(['draining', 'done', 'stopped', 'failed']),
  total: z.number().int(),
  left: z.number().int(),
  waiting: z.array(z.object({ namespace: z.string(), pod: z.string(), reason: z.string() })),
  message: z.string(),
  startedAt: z.string(),
})
export type Maintenance = z.infer<typeof Maintenance>

const Requested = z.object({ cpu: z.number(), memory: z.number() })

export const Host = z.object({
  uuid: z.string(),
  name: z.string(),
  ip: z.string(),
  envUuid: z.string(),
  envName: z.string(),
  /** Whether the caller has sole use of the cluster, and so may change the host. */
  alone: z.boolean(),
  state: z.enum(['ready', 'not_ready', 'cordoned', 'maintenance', 'deleting']),
  /** The finalizers that delay its deletion. */
  heldBy: z.array(z.string()),
  /** Whether new pods may start there; if not, it is cordoned, even if `state` is something worse. */
  schedulable: z.boolean(),
  /** Conditions that are true but should not be, by their Kubernetes names. */
  troubles: z.array(z.string()),
  roles: z.array(z.string()),
  /** Runs the cluster's control plane, or this product: it cannot be dedicated, deleted or put in maintenance. */
  controller: z.boolean(),
  /** Only this team's stacks run there; the name is omitted if the caller may not see the team. */
  dedicated: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  /** Takes the traffic of ingresses. */
  ingress: z.boolean(),
  version: z.string(),
  os: z.string(),
  /** Null, like `requested`, if the pods of its cluster are not counted: see `uncounted`. */
  podNum: z.number().int().nullable(),
  allocatable: Figures,
  requested: Requested.nullable(),
  /** Measured; null where the cluster has no metrics. */
  used: z.object({ cpu: z.number(), memory: z.number() }).nullable(),
  createdAt: z.string(),
})
export type Host = z.infer<typeof Host>

export const HostDetail = Host.extend({
  podNum: z.number().int(),
  requested: Requested,
  capacity: Figures,
  architecture: z.string(),
  kernel: z.string(),
  runtime: z.string(),
  osImage: z.string(),
  addresses: z.array(z.object({ type: z.string(), address: z.string() })),
  conditions: z.array(
    z.object({ type: z.string(), status: z.string(), reason: z.string(), message: z.string(), since: z.string() }),
  ),
  labels: z.record(z.string(), z.string()),
  annotations: z.record(z.string(), z.string()),
  taints: z.array(Taint),
  /**
   * The 50 largest images that its kubelet reports. A name is empty if a newer image took it. Empty for callers that
   * share the cluster, because images reveal what other teams run.
   */
  images: z.array(z.object({ name: z.string(), sizeMib: z.number() })),
  maintenance: Maintenance.nullable(),
})
export type HostDetail = z.infer<typeof HostDetail>

const env = z.strictObject({ env: uuid })
const one = z.strictObject({ env: uuid, host: hostName })
const base = '/resource-manager/api/hosts/environments'
const view = { owner: 'environment', by: 'env', permission: 'resource_host_view' } as const
const edit = { owner: 'environment', by: 'env', permission: 'resource_host_edit' } as const
/** For where pods may run: a taint keeps pods off a host as a cordon does, or evicts them as maintenance does. */
const operate = { owner: 'environment', by: 'env', permission: 'resource_host_operate' } as const

const reservedLabels = /^(?:[a-z0-9-]+\.)*(?:kubernetes\.io|k8s\.io|gantry\.dev)\/|^io\.wise2c\.|^app$/

/** Whether the cluster or the product controls a key, so that users cannot change it. */
export const ownHostKey = (key: string): boolean => reservedLabels.test(key)

export const hostSorts = [
  'name',
  'envName',
  'ip',
  'state',
  'podNum',
  'cpu',
  'memory',
  'version',
  'os',
  'createdAt',
] as const

const enable = z.strictObject({ enable: z.boolean() })

/**
 * Writes are for administrators and for teams with sole use of the cluster, because a host serves all users of the
 * cluster.
 */
export const hosts = {
  list: endpoint({
    method: 'GET',
    path: base,
    access: 'user',
    asks: ['resource_host_view'],
    forTokens: true,
    summary:
      'Hosts of one cluster, or of all that the caller may see; sorted by any column, cpu and memory by how much of them is requested',
    query: clusterListQuery().extend({
      envUuid: uuid.optional(),
      /** Include every team in which the caller has the permission, not only that of the header. */
      all: z.enum(['true', 'false']).default('false'),
      state: z.enum(['ready', 'not_ready', 'cordoned', 'maintenance', 'deleting']).optional(),
    }),
    /**
     * `stale`: clusters whose hosts are missing or outdated, or whose pods are `uncounted`, because the server's cache
     * is full; their hosts come last when sorted by pods, cpu or memory.
     */
    data: listOf(Host).extend({
      stale: z.array(
        z.object({
          envUuid: z.string(),
          envName: z.string(),
          since: z.string().nullable(),
          message: z.string(),
          uncounted: z.boolean(),
        }),
      ),
    }),
    topics: [hostsTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: `${base}/:env/:host`,
    access: view,
    summary: 'One host',
    params: one,
    data: HostDetail,
    topics: [hostsTopic],
  }),
  events: endpoint({
    method: 'GET',
    path: `${base}/:env/:host/events`,
    access: view,
    summary: 'Events about one host, the latest first',
    params: one,
    query: clusterListQuery(),
    data: listOf(
      z.object({
        type: z.enum(['Normal', 'Warning']),
        reason: z.string(),
        message: z.string(),
        count: z.number().int(),
        first: z.string(),
        last: z.string(),
        source: z.string(),
      }),
    ),
    topics: [hostEventsTopic],
  }),
  setLabel: endpoint({
    method: 'POST',
    path: '/resource-manager/api/host-label/environments/:env/label',
    access: edit,
    audit: 'host.label',
    summary: 'Set a label of a host',
    params: env,
    body: z.strictObject({ host: hostName, key: labelKey, value: labelValue.default('') }),
    data: z.null(),
    topics: [hostsTopic],
  }),
  removeLabel: endpoint({
    method: 'DELETE',
    path: '/resource-manager/api/host-label/environments/:env/label',
    access: edit,
    audit: 'host.unlabel',
    summary: 'Remove a label of a host',
    params: env,
    query: z.strictObject({ host: hostName, key: labelKey }),
    data: z.null(),
    topics: [hostsTopic],
  }),
  setAnnotation: endpoint({
    method: 'POST',
    path: '/resource-manager/api/host-annotation/environments/:env/annotation',
    access: edit,
    audit: 'host.annotate',
    summary: 'Set an annotation of a host',
    params: env,
    body: z.strictObject({ host: hostName, key: labelKey, value: z.string().max(10_000, 'text-too-long').default('') }),
    data: z.null(),
    topics: [hostsTopic],
  }),
  removeAnnotation: endpoint({
    method: 'DELETE',
    path: '/resource-manager/api/host-annotation/environments/:env/annotation',
    access: edit,
    audit: 'host.unannotate',
    summary: 'Remove an annotation of a host',
    params: env,
    query: z.strictObject({ host: hostName, key: labelKey }),
    data: z.null(),
    topics: [hostsTopic],
  }),
  setTaints: endpoint({
    method: 'PUT',
    path: `${base}/:env/:host/taints`,
    access: operate,
    audit: 'host.taint',
    summary: 'Replace the taints of a host that are not the cluster’s or the product’s own',
    params: one,
    body: z.strictObject({ taints: z.array(Taint).max(50, 'list-too-long') }),
    data: z.null(),
    topics: [hostsTopic],
  }),
  cordon: endpoint({
    method: 'PUT',
    path: `${base}/:env/:host/cordon`,
    access: operate,
    audit: 'host.cordon',
    summary: 'Let no new pods start on a host, or let them again',
    params: one,
    body: enable,
    data: z.null(),
    topics: [hostsTopic],
  }),
  maintenance: endpoint({
    method: 'PUT',
    path: `${base}/:env/:host/maintenance`,
    access: operate,
    audit: 'host.maintenance',
    summary: 'Cordon a host and evict its pods within their disruption budgets; or stop that, and let pods start again',
    params: one,
    body: enable,
    data: z.null(),
    topics: [hostsTopic],
  }),
  dedicated: endpoint({
    method: 'PUT',
    path: `${base}/:env/:host/dedicated`,
    access: 'admin',
    audit: 'host.dedicate',
    summary: 'Keep a host for one team’s stacks, or for all again',
    params: one,
    body: z.strictObject({ teamId: id.nullable() }),
    data: z.null(),
    topics: [hostsTopic],
  }),
  ingress: endpoint({
    method: 'PUT',
    path: `${base}/:env/:host/ingress`,
    access: operate,
    audit: 'host.ingress',
    summary: 'Let a host take the traffic of ingress rules, or no longer',
    params: one,
    body: enable,
    data: z.null(),
    topics: [hostsTopic, clusterTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${base}/:env/:host`,
    access: { owner: 'environment', by: 'env', permission: 'resource_host_delete' },
    audit: 'host.delete',
    summary: 'Take a host out of its cluster',
    params: one,
    data: z.null(),
    topics: [hostsTopic],
  }),
  logs: endpoint({
    method: 'GET',
    path: '/log/api/environments/:env/hosts/:host',
    access: { owner: 'environment', by: 'env', permission: 'resource_hostlog_view' },
    summary: 'The log of a service of a host, as its kubelet tells it; from and to in epoch milliseconds, 0 = open',
    params: one,
    query: z.strictObject({
      size: z.coerce.number().int().min(1, 'page-size-invalid').max(1000, 'page-size-invalid').default(100),
      from: z.coerce.number().int().min(0, 'range-order').max(9_999_999_999_999, 'range-order').default(0),
      to: z.coerce.number().int().min(0, 'range-order').max(9_999_999_999_999, 'range-order').default(0),
      page: z.coerce.number().int().min(1, 'page-invalid').max(1000, 'page-invalid').default(1),
      type: z.enum(['kubelet', 'containerd', 'kube-proxy', 'system']).default('kubelet'),
    }),
    data: z.object({ lines: z.array(z.object({ time: z.string(), text: z.string() })), more: z.boolean() }),
  }),
}
