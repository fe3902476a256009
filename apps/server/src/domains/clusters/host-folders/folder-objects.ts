import { createHash } from 'node:crypto'
import { folderClaims } from '@gantry/contract/stacks/spec-storage'
import type { V1PersistentVolume, V1PersistentVolumeClaim } from '@kubernetes/client-node'
import type { Wire } from '../../../adapters/kube/objects.ts'

/** The claim of a folder in a namespace; no service's name begins so. */
export const folderClaimName = (path: string): string =>
  `${folderClaims}${createHash('sha256').update(path).digest('hex').slice(0, 12)}`

/** The volume behind it: a cluster has one namespace of a name. */
export const folderVolumeName = (namespace: string, path: string): string => `${folderClaimName(path)}.${namespace}`

/** Kubernetes wants a size, and holds nobody to it. */
const size = '1Gi'
const anyHost = { accessModes: ['ReadWriteMany'], storageClassName: '' }

/**
 * A folder of the hosts, for one claim of one namespace alone. Pods have it by that claim, because Pod Security lets no pod of
 * a team name a folder itself. A folder that is not there is not made.
 */
export const folderVolume = (
  namespace: string,
  path: string,
  labels: Record<string, string>,
): Wire<V1PersistentVolume> => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: folderVolumeName(namespace, path), labels },
  spec: {
    ...anyHost,
    capacity: { storage: size },
    persistentVolumeReclaimPolicy: 'Retain',
    hostPath: { path, type: 'Directory' },
    claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name: folderClaimName(path) },
  },
})

export const folderClaim = (
  namespace: string,
  path: string,
  labels: Record<string, string>,
): Wire<V1PersistentVolumeClaim> => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: folderClaimName(path), namespace, labels },
  spec: {
    ...anyHost,
    resources: { requests: { storage: size } },
    volumeName: folderVolumeName(namespace, path),
  },
})
