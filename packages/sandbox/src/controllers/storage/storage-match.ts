import type { Cluster } from '../../cluster.ts'
import type { Node } from '../../objects/nodes.ts'
import { parseQuantity } from '../../objects/quantity.ts'
import { labelSelector } from '../../objects/selectors.ts'
import type { Claim, PersistentVolume, StorageClass } from '../../objects/storage.ts'
import type { ObjectReference, Pod } from '../../objects/types.ts'
import { fitsSelector } from '../placement.ts'

/** The sandbox's own provisioner; for any other, only the request to it is simulated. */
export const provisioner = 'sandbox.gantry.dev/simulated'

/** Set by the scheduler on a claim that waited for its first pod: the node of that pod. */
export const selectedNode = 'volume.kubernetes.io/selected-node'

const bytes = (text: string | undefined): bigint => parseQuantity(text ?? '0')?.milli ?? 0n
const sizeOf = ({ spec }: PersistentVolume): bigint => bytes(spec.capacity?.['storage'])

const modesOf = ({ spec }: PersistentVolume): number => spec.accessModes?.length ?? 0

export const isFor = (ref: ObjectReference | undefined, { metadata }: Claim): boolean =>
  ref?.namespace === metadata.namespace &&
  ref?.name === metadata.name &&
  (ref?.uid === undefined || ref.uid === metadata.uid)

export const reference = ({ metadata }: Claim): ObjectReference => ({
  kind: 'PersistentVolumeClaim',
  namespace: metadata.namespace ?? '',
  name: metadata.name,
  uid: metadata.uid,
  apiVersion: 'v1',
  resourceVersion: metadata.resourceVersion,
})

/** Whether a volume meets the request of a claim, free or not. */
function suits({ spec, metadata }: PersistentVolume, claim: Claim): boolean {
  const wanted = claim.spec
  return (
    !metadata.deletionTimestamp &&
    (spec.storageClassName ?? '') === (wanted.storageClassName ?? '') &&
    (spec.volumeMode ?? 'Filesystem') === (wanted.volumeMode ?? 'Filesystem') &&
    (wanted.accessModes ?? []).every((mode) => spec.accessModes?.includes(mode)) &&
    bytes(spec.capacity?.['storage']) >= bytes(wanted.resources?.requests?.['storage']) &&
    (wanted.selector === undefined || labelSelector(wanted.selector)(metadata.labels))
  )
}

/**
 * The volume that is reserved for a claim, otherwise the free one that meets its request most closely: with the fewest
 * access modes, then the smallest size; on `node` if given.
 */
export function matchOf({ store }: Cluster, claim: Claim, node?: Node): PersistentVolume | undefined {
  const volumes = store.list('persistentvolumes').filter((volume) => suits(volume, claim))
  const kept = volumes.find(({ spec }) => isFor(spec.claimRef, claim))
  if (kept) return kept
  return volumes
    .filter(({ spec, status }) => !spec.claimRef && status.phase === 'Available')
    .filter(({ spec }) => !node || fitsSelector(node, spec.nodeAffinity?.required))
    .sort((a, b) => modesOf(a) - modesOf(b) || (sizeOf(a) < sizeOf(b) ? -1 : 1))[0]
}

export const classOf = ({ store }: Cluster, claim: Claim): StorageClass | undefined =>
  store.get('storageclasses.storage.k8s.io', undefined, claim.spec.storageClassName ?? '')

export const waitsForPod = (cluster: Cluster, claim: Claim): boolean =>
  classOf(cluster, claim)?.volumeBindingMode === 'WaitForFirstConsumer'

export const claimNames = ({ spec }: Pod): string[] =>
  (spec.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) => (claim ? [claim.claimName] : []))

export const isBound = ({ spec, status }: Claim): boolean => status.phase === 'Bound' && spec.volumeName !== undefined

/**
 * What a pod's claims mean for its placement; `fault` is in the scheduler's words, `delayed` claims wait for the pod.
 */
export interface ClaimsOfPod {
  fault?: string
  volumes: PersistentVolume[]
  delayed: Claim[]
}

export function claimsOf(cluster: Cluster, pod: Pod): ClaimsOfPod {
  const found: ClaimsOfPod = { volumes: [], delayed: [] }
  for (const name of claimNames(pod)) {
    const claim = cluster.store.get('persistentvolumeclaims', pod.metadata.namespace, name)
    if (!claim) return { ...found, fault: `persistentvolumeclaim "${name}" not found` }
    if (claim.metadata.deletionTimestamp) return { ...found, fault: `persistentvolumeclaim "${name}" is being deleted` }
    if (claim.status.phase === 'Lost')
      return {
        ...found,
        fault: `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec.volumeName ?? ''}"`,
      }
    const volume = isBound(claim) && cluster.store.get('persistentvolumes', undefined, claim.spec.volumeName ?? '')
    if (volume) found.volumes.push(volume)
    else if (waitsForPod(cluster, claim)) found.delayed.push(claim)
    else return { ...found, fault: 'pod has unbound immediate PersistentVolumeClaims' }
  }
  return found
}

/** Why a pod's volumes exclude a node; undefined if they do not. */
export function storageObjection(cluster: Cluster, { volumes, delayed }: ClaimsOfPod, node: Node): string | undefined {
  if (volumes.some(({ spec }) => !fitsSelector(node, spec.nodeAffinity?.required)))
    return "node(s) didn't match PersistentVolume's node affinity"
  const makes = (claim: Claim): boolean => classOf(cluster, claim)?.provisioner !== 'kubernetes.io/no-provisioner'
  return delayed.every((claim) => matchOf(cluster, claim, node) ?? makes(claim))
    ? undefined
    : "node(s) didn't find available persistent volumes to bind"
}

/**
 * Binds the claims that waited for a pod at its node: reserves a free volume there, or tells the provisioner the node.
 * Answers whether there was anything to do.
 */
export function bindAt(cluster: Cluster, { delayed }: ClaimsOfPod, node: Node): boolean {
  const { store } = cluster
  for (const claim of delayed) {
    const volume = matchOf(cluster, claim, node)
    if (volume && !volume.spec.claimRef) {
      const annotations = { ...volume.metadata.annotations, 'pv.kubernetes.io/bound-by-controller': 'yes' }
      const spec = { ...volume.spec, claimRef: reference(claim) }
      store.put('persistentvolumes', { ...volume, spec, metadata: { ...volume.metadata, annotations } })
    } else if (!volume && claim.metadata.annotations?.[selectedNode] !== node.metadata.name) {
      const annotations = { ...claim.metadata.annotations, [selectedNode]: node.metadata.name }
      store.put('persistentvolumeclaims', { ...claim, metadata: { ...claim.metadata, annotations } })
    }
  }
  return delayed.length > 0
}
