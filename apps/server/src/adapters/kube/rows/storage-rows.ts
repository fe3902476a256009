import type { V1PersistentVolume, V1PersistentVolumeSpec } from '@kubernetes/client-node'
import { base, intern, short, text, texts } from '../parse-object.ts'
import type { BaseRow } from '../parse-object.ts'
import type { Wire } from '../objects.ts'
import { heldBy } from './holding.ts'
import { bytes } from './quantity.ts'

export interface VolumeRow extends BaseRow {
  /** In bytes. */
  capacity: number
  accessModes: string[]
  /** Retain, Delete or Recycle: what happens to the volume once its claim is deleted. */
  reclaimPolicy: string
  /** Pending, Available, Bound, Released or Failed. */
  phase: string
  /** The storage class; '' where it has none. */
  driver: string
  /** `nfs 10.0.0.1:/x`, `hostPath /x`, `csi driver` … */
  source: string
  /** The present or last claim; without a uid the volume is only reserved for a claim of this name. */
  claim: { namespace: string; name: string; uid: string } | undefined
  /** Why it is in its phase, if the cluster says so. */
  message: string
  /** The finalizers that delay its deletion. */
  heldBy: string[]
}

type Spec = Wire<V1PersistentVolumeSpec>

const plain = new Set<keyof Spec>([
  'accessModes',
  'capacity',
  'claimRef',
  'mountOptions',
  'nodeAffinity',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeAttributesClassName',
  'volumeMode',
])

/**
 * The storage behind the volume. A driver's handle is internal to the driver; for deprecated kinds this is the kind.
 */
function sourceOf(spec: Spec): string {
  if (spec.nfs) return `nfs ${text(spec.nfs.server)}:${text(spec.nfs.path)}`
  if (spec.hostPath) return `hostPath ${text(spec.hostPath.path)}`
  if (spec.local) return `local ${text(spec.local.path)}`
  if (spec.csi) return `csi ${text(spec.csi.driver)}`
  return Object.keys(spec).find((key) => !plain.has(key as keyof Spec)) ?? ''
}

export function volumeRow(volume: Wire<V1PersistentVolume>): VolumeRow {
  const { status } = volume
  const spec = volume.spec ?? {}
  const { claimRef } = spec
  return {
    ...base(volume),
    capacity: bytes(spec.capacity?.['storage']),
    accessModes: texts(spec.accessModes),
    reclaimPolicy: intern(spec.persistentVolumeReclaimPolicy) || 'Retain',
    phase: intern(status?.phase) || 'Pending',
    driver: intern(spec.storageClassName),
    source: short(sourceOf(spec), 1500) ?? '',
    claim: claimRef
      ? { namespace: intern(claimRef.namespace), name: text(claimRef.name), uid: text(claimRef.uid) }
      : undefined,
    message: short(status?.message) ?? '',
    heldBy: heldBy(volume),
  }
}
