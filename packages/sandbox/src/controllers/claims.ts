import type { Cluster } from '../cluster.ts'
import type { Claim, Obj } from '../objects/types.ts'
import { newMeta } from '../store/store.ts'
import { keyOf, type Controller } from './loop.ts'

const provisioner = 'sandbox.gantry.dev/simulated'

function volumeFor(cluster: Cluster, claim: Claim): Obj {
  const { name, namespace, uid } = claim.metadata
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name: `pvc-${uid}`,
      ...newMeta(cluster.now()),
      annotations: { 'pv.kubernetes.io/provisioned-by': provisioner },
    },
    spec: {
      capacity: { storage: claim.spec.resources?.requests?.['storage'] ?? '0' },
      accessModes: claim.spec.accessModes ?? [],
      claimRef: { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid },
      persistentVolumeReclaimPolicy: 'Delete',
      storageClassName: claim.spec.storageClassName ?? '',
      volumeMode: claim.spec.volumeMode ?? 'Filesystem',
      hostPath: { path: `/simulated/${uid}` },
    },
    status: { phase: 'Bound' },
  }
}

/** Gives every claim of the simulated storage class a volume, and takes it back with the claim. */
export const claims: Controller = {
  name: 'claims',
  affected: (_, { resource, object }) => (resource === 'persistentvolumeclaims' ? [keyOf(object)] : []),
  reconcile(cluster, namespace, name) {
    const { store } = cluster
    const claim = store.get('persistentvolumeclaims', namespace, name)
    if (!claim) {
      for (const volume of store.list('persistentvolumes')) {
        const { claimRef, persistentVolumeReclaimPolicy } = volume.spec as {
          claimRef?: { namespace?: string; name?: string }
          persistentVolumeReclaimPolicy?: string
        }
        const ours = volume.metadata.annotations?.['pv.kubernetes.io/provisioned-by'] === provisioner
        if (
          ours &&
          persistentVolumeReclaimPolicy === 'Delete' &&
          claimRef?.namespace === namespace &&
          claimRef.name === name
        )
          store.remove('persistentvolumes', undefined, volume.metadata.name)
      }
      return
    }
    const kind = store.get('storageclasses.storage.k8s.io', undefined, claim.spec.storageClassName ?? '')
    if (kind?.provisioner !== provisioner || claim.status.phase !== 'Pending' || claim.metadata.deletionTimestamp)
      return
    const volume = volumeFor(cluster, claim)
    if (!store.get('persistentvolumes', undefined, volume.metadata.name)) store.put('persistentvolumes', volume)
    store.put('persistentvolumeclaims', {
      ...claim,
      spec: { ...claim.spec, volumeName: volume.metadata.name },
      status: {
        phase: 'Bound',
        ...(claim.spec.accessModes ? { accessModes: claim.spec.accessModes } : {}),
        capacity: { storage: claim.spec.resources?.requests?.['storage'] ?? '0' },
      },
    })
  },
}
