import type { NodeSelector } from './places.ts'
import type { LabelSelector, ObjectReference, Obj, Resources } from './types.ts'

/** Types of storage: volumes, claims and classes. */

export interface PersistentVolume extends Obj {
  spec: {
    capacity?: Record<string, string>
    accessModes?: string[]
    persistentVolumeReclaimPolicy?: string
    storageClassName?: string
    volumeMode?: string
    /** With a uid the volume is bound to this claim; without one it is reserved for the claim of this name. */
    claimRef?: ObjectReference
    nodeAffinity?: { required?: NodeSelector }
    hostPath?: { path: string; type?: string }
    local?: { path: string }
    nfs?: { server: string; path: string }
  }
  status: { phase: VolumePhase; message?: string; reason?: string; lastPhaseTransitionTime?: string }
}
export type VolumePhase = 'Pending' | 'Available' | 'Bound' | 'Released' | 'Failed'

export interface Claim extends Obj {
  spec: {
    accessModes?: string[]
    resources?: Resources
    selector?: LabelSelector
    storageClassName?: string
    volumeName?: string
    volumeMode?: string
  }
  status: { phase: 'Pending' | 'Bound' | 'Lost'; accessModes?: string[]; capacity?: Record<string, string> }
}

export interface StorageClass extends Obj {
  provisioner: string
  parameters?: Record<string, string>
  volumeBindingMode?: string
  reclaimPolicy?: string
  allowVolumeExpansion?: boolean
}
