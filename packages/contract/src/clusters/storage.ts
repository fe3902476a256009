import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { uuid } from '../ids.ts'
import { clusterListQuery, listOf } from '../paging.ts'
import { dictionary, dnsName } from '../validators.ts'
import { hostPath, staysInside } from './host-path.ts'
import { Age } from './pods.ts'
import { clusterTopic, volumesTopic } from './topics.ts'

const env = z.strictObject({ env: uuid })
const newName = dnsName(63)
/** Other clients may have created longer names in the cluster. */
const anyName = dnsName()
const one = z.strictObject({ env: uuid, name: anyName })

export const Volume = z.object({
  name: z.string(),
  /** GiB. */
  capacity: z.number(),
  accessModes: z.array(z.string()),
  reclaimPolicy: z.string(),
  state: z.enum(['Pending', 'Available', 'Bound', 'Released', 'Failed']),
  driver: z.string(),
  /** The storage behind it, such as `nfs 10.0.0.1:/x`, `hostPath /x`, `csi …`. */
  source: z.string(),
  /** Its claim, and the pods that use the claim. */
  claim: z.object({ namespace: z.string(), name: z.string(), pods: z.array(z.string()) }).nullable(),
  message: z.string(),
  /** It is being deleted, but kept by these finalizers: `kubernetes.io/pv-protection` while a claim is bound to it. */
  heldBy: z.array(z.string()).nullable(),
  createdAt: z.string(),
})
export type Volume = z.infer<typeof Volume>

export const volumeSorts = ['name', 'capacity', 'state', 'driver', 'claim', 'createdAt'] as const

export const AccessMode = z.enum(['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'])

/** Hosts pass this to a mount command: a name or an address, never an option. */
const serverAddress = z
  .string()
  .trim()
  .min(1, 'storage-server-required')
  .max(253, 'storage-server-format')
  .refine(
    (s) => /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(s) || z.ipv6().safeParse(s).success,
    'storage-server-format',
  )

/** The storage behind a volume that an administrator creates by hand. */
export const VolumeSource = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('nfs'),
    server: serverAddress,
    path: z
      .string()
      .max(1024, 'path-format')
      .regex(/^\/[^\s\0]*$/, 'path-format')
      .refine(staysInside, 'storage-path-up'),
  }),
  z.strictObject({
    type: z.literal('hostPath'),
    path: hostPath,
  }),
  z.strictObject({
    type: z.literal('local'),
    path: hostPath,
    host: z.string().min(1, 'host-name').max(253, 'host-name'),
  }),
])

export const Driver = z.object({
  name: z.string(),
  provisioner: z.string(),
  reclaimPolicy: z.string(),
  binding: z.enum(['Immediate', 'WaitForFirstConsumer']),
  expandable: z.boolean(),
  isDefault: z.boolean(),
  parameters: z.record(z.string(), z.string()),
  volumeNum: z.number().int(),
  createdAt: z.string(),
})
export type Driver = z.infer<typeof Driver>

const view = { owner: 'environment', by: 'env', permission: 'resource_storage_view' } as const
const create = { owner: 'environment', by: 'env', permission: 'resource_storage_create' } as const
const operate = { owner: 'environment', by: 'env', permission: 'resource_storage_operate' } as const
const remove = { owner: 'environment', by: 'env', permission: 'resource_storage_delete' } as const
const base = '/resource-manager/api/storage/environments/:env'

/** Writes are for administrators and for teams with sole use of the cluster. */
export const storage = {
  volumes: endpoint({
    method: 'GET',
    path: `${base}/persistent-volumes`,
    access: view,
    summary: 'Persistent volumes, with who claims and uses them; a team sees those that it claims, and the free ones',
    params: env,
    query: clusterListQuery().extend({
      state: z.enum(['Pending', 'Available', 'Bound', 'Released', 'Failed']).optional(),
    }),
    /** From the cache: `totalSize` is exact. */
    data: listOf(Volume).extend({ age: Age }),
    topics: [volumesTopic],
  }),
  createVolume: endpoint({
    method: 'POST',
    path: `${base}/persistent-volumes`,
    access: create,
    audit: 'volume.create',
    summary: 'Make a persistent volume of storage that is there',
    params: env,
    body: z.strictObject({
      name: newName,
      capacity: z.number().positive('storage-capacity').max(1_000_000, 'storage-capacity'),
      accessModes: z
        .array(AccessMode)
        .min(1, 'storage-access-modes')
        .max(4, 'storage-access-modes')
        .refine((modes) => new Set(modes).size === modes.length, 'storage-access-modes')
        .refine((modes) => modes.length === 1 || !modes.includes('ReadWriteOncePod'), 'storage-access-pod'),
      reclaimPolicy: z.enum(['Retain', 'Delete']).default('Retain'),
      driver: anyName.or(z.literal('')).default(''),
      source: VolumeSource,
    }),
    data: Volume,
    topics: [volumesTopic],
  }),
  removeVolume: endpoint({
    method: 'DELETE',
    path: `${base}/persistent-volumes/:name`,
    access: remove,
    audit: 'volume.delete',
    summary: 'Delete a persistent volume that nobody claims',
    params: one,
    data: z.null(),
    topics: [volumesTopic],
  }),
  activate: endpoint({
    method: 'PUT',
    path: `${base}/persistent-volumes/:name/activate`,
    access: operate,
    audit: 'volume.activate',
    summary: 'Let a volume whose claim is gone be claimed again, with what is on it',
    params: one,
    data: Volume,
    topics: [volumesTopic],
  }),
  reclaim: endpoint({
    method: 'PUT',
    path: `${base}/persistent-volumes/:name/reclaim`,
    access: operate,
    audit: 'volume.reclaim',
    summary: 'Give a volume whose claim is gone back to its driver, which deletes it and what is on it',
    params: one,
    data: Volume,
    topics: [volumesTopic],
  }),
  drivers: endpoint({
    method: 'GET',
    path: `${base}/drivers`,
    access: view,
    summary: 'Storage drivers (storage classes)',
    params: env,
    data: z.array(Driver),
    topics: [volumesTopic, clusterTopic],
  }),
  createDriver: endpoint({
    method: 'POST',
    path: `${base}/drivers`,
    access: create,
    audit: 'driver.create',
    summary: 'Add a storage driver',
    params: env,
    body: z.strictObject({
      name: newName,
      provisioner: z
        .string()
        .trim()
        .min(1, 'storage-provisioner')
        .max(253, 'storage-provisioner')
        .regex(/^[A-Za-z0-9]([A-Za-z0-9./_-]*[A-Za-z0-9])?$/, 'storage-provisioner'),
      reclaimPolicy: z.enum(['Retain', 'Delete']).default('Delete'),
      binding: z.enum(['Immediate', 'WaitForFirstConsumer']).default('WaitForFirstConsumer'),
      expandable: z.boolean().default(false),
      isDefault: z.boolean().default(false),
      parameters: dictionary(z.string().min(1).max(253), z.string().max(10_000, 'text-too-long'), 50).default({}),
    }),
    data: Driver,
    topics: [clusterTopic],
  }),
  setDefaultDriver: endpoint({
    method: 'PUT',
    path: `${base}/drivers/:name/default`,
    access: operate,
    audit: 'driver.default',
    summary: 'Make a storage driver the one that claims get which name none; the one that was it is no longer',
    params: one,
    data: Driver,
    topics: [clusterTopic],
  }),
  removeDriver: endpoint({
    method: 'DELETE',
    path: `${base}/drivers/:name`,
    access: remove,
    audit: 'driver.delete',
    summary: 'Delete a storage driver of which there are no volumes',
    params: one,
    data: z.null(),
    topics: [clusterTopic],
  }),
}
