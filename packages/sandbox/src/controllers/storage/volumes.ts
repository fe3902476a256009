import { finish } from '../../api/write.ts'
import type { Cluster } from '../../cluster.ts'
import { kindOf } from '../../objects/kinds.ts'
import type { PersistentVolume, VolumePhase } from '../../objects/storage.ts'
import { seconds } from '../../store/store.ts'
import type { Controller } from '../loop.ts'
import { record } from '../record.ts'
import { isFor, provisioner } from './storage-match.ts'

const protection = 'kubernetes.io/pv-protection'

function enter(cluster: Cluster, volume: PersistentVolume, phase: VolumePhase, message?: string): PersistentVolume {
  const { status } = volume
  if (status.phase === phase && status.message === message) return volume
  const since = status.phase === phase ? status.lastPhaseTransitionTime : seconds(cluster.now())
  const next = {
    phase,
    ...(message === undefined ? {} : { message }),
    ...(since ? { lastPhaseTransitionTime: since } : {}),
  }
  return cluster.store.put('persistentvolumes', { ...volume, status: next })
}

/** Deletes the data of a released volume, and the volume, if its driver can do that. */
function reclaim(cluster: Cluster, volume: PersistentVolume): void {
  const { metadata, spec } = volume
  if (spec.persistentVolumeReclaimPolicy !== 'Delete' || metadata.deletionTimestamp) return
  const maker = metadata.annotations?.['pv.kubernetes.io/provisioned-by']
  if (maker === provisioner) {
    const finalizers = (metadata.finalizers ?? []).filter((one) => one !== protection)
    const deletionTimestamp = seconds(cluster.now())
    const gone = { ...metadata, finalizers, deletionTimestamp, deletionGracePeriodSeconds: 0 }
    return void finish(cluster, kindOf('persistentvolumes'), { ...volume, metadata: gone })
  }
  // A volume of an external provisioner is deleted by that provisioner.
  if (maker !== undefined && !maker.startsWith('kubernetes.io/')) return
  const message = `error getting deleter volume plugin for volume "${metadata.name}": no deletable volume plugin matched`
  if (volume.status.phase === 'Failed') return
  const failed = enter(cluster, volume, 'Failed', message)
  record(cluster, failed, {
    type: 'Warning',
    reason: 'VolumeFailedDelete',
    message,
    component: 'persistentvolume-controller',
  })
}

/** Sets the phase of every volume according to its claim. */
export const volumes: Controller = {
  name: 'volumes',
  affected({ store }, { resource, object, type }) {
    if (resource === 'persistentvolumes') return type === 'DELETED' ? [] : [`/${object.metadata.name}`]
    if (resource !== 'persistentvolumeclaims' || type !== 'DELETED') return []
    const { namespace, name } = object.metadata
    return store
      .list('persistentvolumes')
      .filter(({ spec }) => spec.claimRef?.namespace === namespace && spec.claimRef?.name === name)
      .map(({ metadata }) => `/${metadata.name}`)
  },
  reconcile(cluster, _, name) {
    const { store } = cluster
    let volume = store.get('persistentvolumes', undefined, name)
    if (!volume) return
    const { claimRef } = volume.spec
    if (!claimRef?.uid) volume = enter(cluster, volume, 'Available')
    else {
      const claim = store.get('persistentvolumeclaims', claimRef.namespace, claimRef.name ?? '')
      if (!claim || !isFor(claimRef, claim)) {
        if (volume.status.phase !== 'Failed') volume = enter(cluster, volume, 'Released')
        reclaim(cluster, volume)
      } else if (claim.spec.volumeName === name) volume = enter(cluster, volume, 'Bound')
    }
    const { deletionTimestamp, finalizers = [] } = volume.metadata
    if (!deletionTimestamp || volume.status.phase === 'Bound' || !finalizers.includes(protection)) return
    const rest = finalizers.filter((one) => one !== protection)
    finish(cluster, kindOf('persistentvolumes'), { ...volume, metadata: { ...volume.metadata, finalizers: rest } })
  },
}
