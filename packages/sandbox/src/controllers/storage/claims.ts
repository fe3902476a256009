import { createObject, finish } from '../../api/write.ts'
import type { Cluster } from '../../cluster.ts'
import { kindOf } from '../../objects/kinds.ts'
import { parseQuantity } from '../../objects/quantity.ts'
import type { Claim, PersistentVolume } from '../../objects/storage.ts'
import type { Pod } from '../../objects/types.ts'
import { keyOf, type Controller } from '../loop.ts'
import { record } from '../record.ts'
import { claimNames, classOf, isFor, matchOf, provisioner, reference, selectedNode } from './storage-match.ts'

const protection = 'kubernetes.io/pvc-protection'
const byController = { 'pv.kubernetes.io/bound-by-controller': 'yes' }
const component = 'persistentvolume-controller'

const annotated = <O extends Claim | PersistentVolume>(object: O, more: Record<string, string>): O => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...more } },
})

/** Binds a claim and a volume, in the order of the real controller: the volume first. */
function bind(cluster: Cluster, claim: Claim, found: PersistentVolume): void {
  const { store, now } = cluster
  let volume = found
  if (volume.spec.claimRef?.uid !== claim.metadata.uid) {
    const kept = volume.spec.claimRef !== undefined
    const spec = { ...volume.spec, claimRef: reference(claim) }
    volume = store.put('persistentvolumes', { ...(kept ? volume : annotated(volume, byController)), spec })
  }
  if (volume.status.phase !== 'Bound') {
    const { message: _, reason: __, ...status } = volume.status
    const lastPhaseTransitionTime = new Date(now()).toISOString().replace(/\.\d+/, '')
    store.put('persistentvolumes', { ...volume, status: { ...status, phase: 'Bound', lastPhaseTransitionTime } })
  }
  const { accessModes, capacity } = volume.spec
  const named = claim.spec.volumeName !== undefined
  const marks = { 'pv.kubernetes.io/bind-completed': 'yes', ...(named ? {} : byController) }
  store.put('persistentvolumeclaims', {
    ...annotated(claim, marks),
    spec: { ...claim.spec, volumeName: volume.metadata.name },
    status: { phase: 'Bound', ...(accessModes ? { accessModes } : {}), ...(capacity ? { capacity } : {}) },
  })
}

/** Creates a volume for a claim of the simulated class. */
function provision(cluster: Cluster, claim: Claim): void {
  const { metadata, spec } = claim
  const name = `pvc-${metadata.uid}`
  if (cluster.store.get('persistentvolumes', undefined, name)) return
  const size = spec.resources?.requests?.['storage'] ?? '0'
  createObject(cluster, kindOf('persistentvolumes'), undefined, {
    metadata: { name, annotations: { 'pv.kubernetes.io/provisioned-by': provisioner } },
    spec: {
      capacity: { storage: size },
      accessModes: spec.accessModes ?? [],
      claimRef: reference(claim),
      persistentVolumeReclaimPolicy: classOf(cluster, claim)?.reclaimPolicy ?? 'Delete',
      storageClassName: spec.storageClassName ?? '',
      volumeMode: spec.volumeMode ?? 'Filesystem',
      csi: { driver: provisioner, volumeHandle: `simulated-${metadata.uid}` },
    },
  })
  const message = `Successfully provisioned volume ${name}`
  record(cluster, claim, { type: 'Normal', reason: 'ProvisioningSucceeded', message, component: provisioner })
}

/** No volume matches: provisions one, or reports why not. */
function ask(cluster: Cluster, claim: Claim): void {
  const { storageClassName: name = '' } = claim.spec
  const tell = (type: 'Normal' | 'Warning', reason: string, message: string): void =>
    record(cluster, claim, { type, reason, message, component })
  if (name === '')
    return tell('Normal', 'FailedBinding', 'no persistent volumes available for this claim and no storage class is set')
  const storage = classOf(cluster, claim)
  if (!storage) return tell('Warning', 'ProvisioningFailed', `storageclass.storage.k8s.io "${name}" not found`)
  const placed = claim.metadata.annotations?.[selectedNode] !== undefined
  if (storage.volumeBindingMode === 'WaitForFirstConsumer' && !placed)
    return tell('Normal', 'WaitForFirstConsumer', 'waiting for first consumer to be created before binding')
  const maker = storage.provisioner
  if (maker === provisioner) return provision(cluster, claim)
  if (maker.startsWith('kubernetes.io/'))
    return tell('Warning', 'ProvisioningFailed', `no volume plugin matched name: ${maker}`)
  const message = `Waiting for a volume to be created either by the external provisioner '${maker}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`
  tell('Normal', 'ExternalProvisioning', message)
  const marks = {
    'volume.beta.kubernetes.io/storage-provisioner': maker,
    'volume.kubernetes.io/storage-provisioner': maker,
  }
  if (claim.metadata.annotations?.['volume.kubernetes.io/storage-provisioner'] !== maker)
    cluster.store.put('persistentvolumeclaims', annotated(claim, marks))
}

/** Grows a volume of the simulated class to the claim's new size. */
function grow({ store }: Cluster, claim: Claim, volume: PersistentVolume): void {
  const storage = claim.spec.resources?.requests?.['storage']
  const bytes = (text: string | undefined): bigint => parseQuantity(text ?? '0')?.milli ?? 0n
  const ours = volume.metadata.annotations?.['pv.kubernetes.io/provisioned-by'] === provisioner
  if (!ours || storage === undefined || bytes(storage) <= bytes(volume.spec.capacity?.['storage'])) return
  const capacity = { ...volume.spec.capacity, storage }
  store.put('persistentvolumes', { ...volume, spec: { ...volume.spec, capacity } })
  store.put('persistentvolumeclaims', { ...claim, status: { ...claim.status, capacity } })
}

function settle(cluster: Cluster, claim: Claim): void {
  const { store } = cluster
  const { volumeName } = claim.spec
  const volume = volumeName === undefined ? undefined : store.get('persistentvolumes', undefined, volumeName)
  if (claim.metadata.annotations?.['pv.kubernetes.io/bind-completed'] !== undefined) {
    if (claim.status.phase === 'Lost') return
    if (volume && isFor(volume.spec.claimRef, claim)) return grow(cluster, claim, volume)
    store.put('persistentvolumeclaims', { ...claim, status: { phase: 'Lost' } })
    const message = 'Bound claim has lost its PersistentVolume. Data on the volume is lost!'
    return record(cluster, claim, { type: 'Warning', reason: 'ClaimLost', message, component })
  }
  if (volumeName !== undefined) {
    if (volume && (!volume.spec.claimRef || isFor(volume.spec.claimRef, claim))) bind(cluster, claim, volume)
    return
  }
  // If binding waits for the first pod, only a volume that is reserved for the claim is taken earlier.
  const delayed = classOf(cluster, claim)?.volumeBindingMode === 'WaitForFirstConsumer'
  const found = matchOf(cluster, claim)
  if (found && (!delayed || found.spec.claimRef)) bind(cluster, claim, found)
  else ask(cluster, claim)
}

/** A pod on a node uses its claims even after it has ended. */
const inUse = ({ store }: Cluster, { metadata }: Claim): boolean =>
  store.list('pods', metadata.namespace).some((pod) => pod.spec.nodeName && claimNames(pod).includes(metadata.name))

/** Binds every claim to an existing volume, or to a new one of the simulated class. A claim in use is not deleted. */
export const claims: Controller = {
  name: 'claims',
  affected({ store }, { resource, object, type }) {
    if (resource === 'persistentvolumeclaims') return [keyOf(object)]
    if (resource === 'pods')
      return type === 'DELETED' ? claimNames(object as Pod).map((name) => `${object.metadata.namespace}/${name}`) : []
    const waiting = (): string[] =>
      store
        .list('persistentvolumeclaims')
        .filter(({ status }) => status.phase === 'Pending')
        .map(keyOf)
    if (resource === 'storageclasses.storage.k8s.io') return type === 'DELETED' ? [] : waiting()
    if (resource !== 'persistentvolumes') return []
    const { claimRef } = (object as PersistentVolume).spec
    const own = claimRef ? [`${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`] : []
    return type === 'DELETED' ? own : [...own, ...waiting()]
  },
  reconcile(cluster, namespace, name) {
    const claim = cluster.store.get('persistentvolumeclaims', namespace, name)
    if (!claim) return
    const { deletionTimestamp, finalizers = [] } = claim.metadata
    if (!deletionTimestamp) return settle(cluster, claim)
    if (!finalizers.includes(protection) || inUse(cluster, claim)) return
    const rest = finalizers.filter((one) => one !== protection)
    finish(cluster, kindOf('persistentvolumeclaims'), { ...claim, metadata: { ...claim.metadata, finalizers: rest } })
  },
}
