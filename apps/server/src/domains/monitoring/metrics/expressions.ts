import type { Expression, Measured } from '@gantry/contract/monitoring/metrics'
import { byHost, ofCluster, ofPods, type MetricScope } from './promql.ts'

/** Labels that distinguish series, by their names in Prometheus. */
export type Label = 'nodename' | 'namespace' | 'pod' | 'container'

type Scope = 'cluster' | 'host' | 'namespace' | 'service' | 'container'

/** The sampled figure behind an expression. `percent`: as a percentage of its maximum. */
interface Sampled {
  of: Expression
  percent?: true
}

export interface Named {
  scope: Scope
  unit: Measured['unit']
  by: readonly Label[]
  /** `window`: the time over which a rate is computed, as a PromQL duration. */
  promql: (where: MetricScope, window: string) => string
  sampled?: Sampled
}

const rate = (name: string, matchers: string, window: string): string => `rate(${name}${matchers}[${window}])`

/** Modes of a working processor, not one that waits for a disk or for the hypervisor. */
const working = 'mode!~"idle|iowait|steal"'
/** File systems on disks. */
const disks = 'fstype!~"tmpfs|devtmpfs|overlay|squashfs|ramfs|iso9660|nsfs|"'
/** Network interfaces of the machine, without those that lead to its pods. */
const wires = 'device!~"lo|veth.*|cali.*|cni.*|cilium.*|lxc.*|flannel.*|docker.*|tunl.*|br-.*|kube-.*"'
/** Containers, without the cgroup of the pod itself. */
const containers = 'container!="",container!="POD"'

const available = (where: MetricScope): string => `node_memory_MemAvailable_bytes${ofCluster(where)}`
const memory = (where: MetricScope): string => `node_memory_MemTotal_bytes${ofCluster(where)}`
/** Per processor, so that the mean is the working share; the charts beside it show cores. */
const busy = (where: MetricScope, window: string): string =>
  `sum without (mode) (${rate('node_cpu_seconds_total', ofCluster(where, working), window)})`

const host = { scope: 'host', by: ['nodename'] } as const
const namespace = { scope: 'namespace', by: ['namespace'] } as const
const service = { scope: 'service', by: [] } as const
const container = { scope: 'container', by: ['namespace', 'pod', 'container'] } as const
/** The containers of a pod share its network. */
const pod = { scope: 'container', by: ['namespace', 'pod'] } as const

const cpu = (where: MetricScope, window: string): string =>
  rate('container_cpu_usage_seconds_total', ofPods(where, containers), window)
const workingSet = (where: MetricScope): string => `container_memory_working_set_bytes${ofPods(where, containers)}`

const hostNetwork = (way: string): Named => ({
  ...host,
  unit: 'bytesPerSecond',
  promql: (where, window) =>
    `sum by (nodename) (${byHost(rate(`node_network_${way}_bytes_total`, ofCluster(where, wires), window), where)})`,
})

/** A pod's network figures name no container, so filtering by a container finds none. */
const podNetwork = (way: string): Named => ({
  ...pod,
  unit: 'bytesPerSecond',
  promql: (where, window) =>
    `sum by (namespace, pod) (${rate(`container_network_${way}_bytes_total`, ofPods({ ...where, container: undefined }), window)})`,
})

const containerDisk = (way: string): Named => ({
  ...container,
  unit: 'bytesPerSecond',
  promql: (where, window) =>
    `sum by (namespace, pod, container) (${rate(`container_fs_${way}_bytes_total`, ofPods(where, containers), window)})`,
})

/** All expressions and their queries, on the metrics of node exporter, kubelet and cAdvisor as in kube-prometheus. */
export const namedExpressions: Readonly<Record<Expression, Named>> = {
  cluster_cpu_usage: {
    scope: 'cluster',
    unit: 'cores',
    by: [],
    promql: (where, window) => `sum(${rate('node_cpu_seconds_total', ofCluster(where, working), window)})`,
    sampled: { of: 'cluster_cpu_usage' },
  },
  cluster_memory_usage: {
    scope: 'cluster',
    unit: 'bytes',
    by: [],
    promql: (where) => `sum(${memory(where)} - ${available(where)})`,
    sampled: { of: 'cluster_memory_usage' },
  },
  cluster_cpu_percent: {
    scope: 'cluster',
    unit: 'percent',
    by: [],
    promql: (where, window) => `100 * avg(${busy(where, window)})`,
    sampled: { of: 'cluster_cpu_usage', percent: true },
  },
  cluster_memory_percent: {
    scope: 'cluster',
    unit: 'percent',
    by: [],
    promql: (where) => `100 * (1 - sum(${available(where)}) / sum(${memory(where)}))`,
    sampled: { of: 'cluster_memory_usage', percent: true },
  },
  cluster_pods: {
    scope: 'cluster',
    unit: 'pods',
    by: [],
    promql: (where) => `sum(kubelet_running_pods${ofCluster(where)})`,
    sampled: { of: 'cluster_pods' },
  },
  host_cpu_usage: {
    ...host,
    unit: 'cores',
    promql: (where, window) =>
      `sum by (nodename) (${byHost(rate('node_cpu_seconds_total', ofCluster(where, working), window), where)})`,
    sampled: { of: 'host_cpu_usage' },
  },
  host_memory_usage: {
    ...host,
    unit: 'bytes',
    promql: (where) => `sum by (nodename) (${byHost(`${memory(where)} - ${available(where)}`, where)})`,
    sampled: { of: 'host_memory_usage' },
  },
  host_cpu_percent: {
    ...host,
    unit: 'percent',
    promql: (where, window) => `100 * avg by (nodename) (${byHost(busy(where, window), where)})`,
    sampled: { of: 'host_cpu_usage', percent: true },
  },
  host_memory_percent: {
    ...host,
    unit: 'percent',
    promql: (where) => `100 * sum by (nodename) (${byHost(`1 - ${available(where)} / ${memory(where)}`, where)})`,
    sampled: { of: 'host_memory_usage', percent: true },
  },
  host_disk_percent: {
    ...host,
    unit: 'percent',
    promql: (where) =>
      `100 * max by (nodename) (${byHost(`1 - node_filesystem_avail_bytes${ofCluster(where, disks)} / node_filesystem_size_bytes${ofCluster(where, disks)}`, where)})`,
  },
  host_network_receive: hostNetwork('receive'),
  host_network_transmit: hostNetwork('transmit'),
  namespace_cpu_usage: {
    ...namespace,
    unit: 'cores',
    promql: (where, window) => `sum by (namespace) (${cpu(where, window)})`,
    sampled: { of: 'namespace_cpu_usage' },
  },
  namespace_memory_usage: {
    ...namespace,
    unit: 'bytes',
    promql: (where) => `sum by (namespace) (${workingSet(where)})`,
    sampled: { of: 'namespace_memory_usage' },
  },
  service_cpu_usage: {
    ...service,
    unit: 'cores',
    promql: (where, window) => `sum(${cpu(where, window)})`,
    sampled: { of: 'container_cpu_usage' },
  },
  service_memory_usage: {
    ...service,
    unit: 'bytes',
    promql: (where) => `sum(${workingSet(where)})`,
    sampled: { of: 'container_memory_usage' },
  },
  container_cpu_usage: {
    ...container,
    unit: 'cores',
    promql: (where, window) => `sum by (namespace, pod, container) (${cpu(where, window)})`,
    sampled: { of: 'container_cpu_usage' },
  },
  container_memory_usage: {
    ...container,
    unit: 'bytes',
    promql: (where) => `sum by (namespace, pod, container) (${workingSet(where)})`,
    sampled: { of: 'container_memory_usage' },
  },
  container_network_receive: podNetwork('receive'),
  container_network_transmit: podNetwork('transmit'),
  container_disk_read: containerDisk('reads'),
  container_disk_write: containerDisk('writes'),
}

/** A rate needs two samples, and some scrapers collect once a minute. */
export const rateWindow = (stepSeconds: number): string => `${Math.max(stepSeconds, 180)}s`
