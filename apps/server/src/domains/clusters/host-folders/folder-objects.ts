import { createHash } from 'node:crypto'
import { folderClaims } from '@gantry/contract/stacks/spec-storage'
import type { V1PersistentVolume, V1PersistentVolumeClaim } from '@kubernetes/client-node'
import type { Wire } from '../../../adapters/kube/objects.ts'

/** The claim of a folder in a namespace; no service may have a name with this prefix. */
export const folderClaimName = (path: string): string =>
  `${folderClaims}${createHash('sha256').update(path).digest('hex').slice(0, 12)}`

/** The volume behind the claim; namespaces are unique in a cluster, so this name is too. */
export const folderVolumeName = (namespace: string, path: string): string => `${folderClaimName(path)}.${namespace}`

/** Kubernetes requires a size, but does not enforce it here. */
const size = '1Gi'
const anyHost = { accessModes: ['ReadWriteMany'], storageClassName: '' }

/**
 * A folder of the hosts, for a single claim of a single namespace. Pods use it by the claim, because Pod Security
 * forbids a team's pods to name the folder themselves. A missing folder is not created.
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
