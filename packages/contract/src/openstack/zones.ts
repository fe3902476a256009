import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { uuid } from '../ids.ts'
import { listOf } from '../paging.ts'
import { addressValue, ipv4 } from '../validators.ts'
import { lowerCaseName } from './openstack.ts'
import { inCluster, oneInCluster, openStackId, Removed, someOf } from './within.ts'
import { clusterTopic } from '../clusters/topics.ts'

const zoneName = lowerCaseName(30, 'valid-zone-name')

/** The specification's defaults of a nested zone. */
export const nestedDefaults = {
  driver: 'kuryr.lib.binding.drivers.vlan',
  linkIface: 'eth0',
  podVifDriver: 'nested_vlan',
} as const

const neutronDefaults = {
  project: openStackId('zones-project-required'),
  podSecurityGroups: z
    .array(openStackId('zones-security-groups-required'))
    .min(1, 'zones-security-groups-required')
    .max(50, 'list-too-long'),
  podSubnet: openStackId('zones-pod-subnet-required'),
  serviceSubnet: openStackId('zones-service-subnet-required'),
}

/** Addresses of the pod subnet that are not given to pods. */
const Reserved = z
  .strictObject({ start: ipv4, end: ipv4 })
  .refine(({ start, end }) => addressValue(start) < addressValue(end), { message: 'zones-ip-order', path: ['end'] })

const common = {
  name: zoneName,
  openStackUuid: uuid,
  neutronDefaults: z.strictObject({
    ...neutronDefaults,
    reservedIp: z.array(Reserved).max(50, 'list-too-long').default([]),
  }),
}

const linkName = z
  .string()
  .trim()
  .max(15, { error: 'zones-link-iface', abort: true })
  .regex(/^[A-Za-z0-9._-]+$/, 'zones-link-iface')
const driverName = z
  .string()
  .trim()
  .max(120, { error: 'zones-driver', abort: true })
  .regex(/^[A-Za-z0-9._-]+$/, 'zones-driver')

/** Pods have their own ports on the hosts. */
export const NormalZone = z.strictObject({ type: z.literal('normal'), ...common })

/** The hosts are themselves virtual machines of OpenStack: the ports of pods are subports of the hosts' ports. */
export const NestedZone = z.strictObject({
  type: z.literal('nested'),
  ...common,
  k8s: z.strictObject({ podVifDriver: driverName.default(nestedDefaults.podVifDriver) }).prefault({}),
  binding: z
    .strictObject({
      driver: driverName.default(nestedDefaults.driver),
      linkIface: linkName.default(nestedDefaults.linkIface),
    })
    .prefault({}),
  podVifNested: z.strictObject({ workerNodesSubnet: openStackId('zones-worker-subnet-required') }),
})

export const ZoneInput = z.discriminatedUnion('type', [NormalZone, NestedZone])
export type ZoneInput = z.infer<typeof ZoneInput>

/**
 * The settings of a zone, without its name and its OpenStack. In a normal zone, fields of nested zones only are empty.
 */
export const ZoneFields = z.object({
  neutronDefaults: z.object({
    project: z.string(),
    podSecurityGroups: z.array(z.string()),
    podSubnet: z.string(),
    serviceSubnet: z.string(),
    reservedIp: z.array(z.object({ start: z.string(), end: z.string() })),
  }),
  k8s: z.object({ podVifDriver: z.string() }),
  binding: z.object({ driver: z.string(), linkIface: z.string() }),
  podVifNested: z.object({ workerNodesSubnet: z.string() }),
})
export type ZoneFields = z.infer<typeof ZoneFields>

export const Zone = ZoneFields.extend({
  uuid: z.string(),
  name: z.string(),
  type: z.enum(['normal', 'nested']),
  envUuid: z.string(),
  /** `writing` until it is stored in the cluster; `removing` until it is gone from there. */
  state: z.enum(['writing', 'ready', 'removing']),
  openStackUuid: z.string(),
  openStackName: z.string(),
  /** `name` is the name of the cluster. */
  k8s: ZoneFields.shape.k8s.extend({ name: z.string() }),
  /** OpenStack's names of the project, the subnets and the groups, by id, when the zone was saved. */
  names: z.record(z.string(), z.string()),
  /** The ConfigMap and the Secret that hold it. */
  written: z.object({ namespace: z.string(), configMap: z.string(), secret: z.string() }),
  createdAt: z.string(),
})
export type Zone = z.infer<typeof Zone>

const base = '/resource-manager/api/zones/environments/:env'
/** The details of a zone need only access to the cluster, as the specification says. */
const view = { owner: 'environment', by: 'env' } as const

export const zones = {
  list: endpoint({
    method: 'GET',
    path: base,
    access: view,
    summary: 'Zones of a cluster',
    params: inCluster,
    query: someOf,
    data: listOf(Zone),
    topics: [clusterTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: base,
    access: { owner: 'environment', by: 'env', permission: 'resource_zone_create' },
    audit: 'zone.create',
    summary: 'Add a zone: its kuryr.conf is written to the cluster',
    params: inCluster,
    body: ZoneInput,
    data: Zone,
    topics: [clusterTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: `${base}/:uuid`,
    access: view,
    summary: 'One zone',
    params: oneInCluster,
    data: Zone,
    topics: [clusterTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${base}/:uuid`,
    access: { owner: 'environment', by: 'env', permission: 'resource_zone_delete' },
    audit: 'zone.delete',
    summary: 'Delete a zone and what it wrote to the cluster',
    params: oneInCluster,
    data: Removed,
    topics: [clusterTopic],
  }),
  check: endpoint({
    method: 'GET',
    path: `${base}/check`,
    access: view,
    summary: 'Whether a zone may have this name',
    params: inCluster,
    query: z.strictObject({ name: zoneName }),
    data: z.object({ free: z.boolean() }),
    topics: [clusterTopic],
  }),
}
