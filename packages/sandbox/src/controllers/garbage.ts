import { deleteObject } from '../api/delete.ts'
import { finish } from '../api/write.ts'
import type { Cluster } from '../cluster.ts'
import { kindNamed, kinds, type Kind } from '../objects/kinds.ts'
import type { Obj } from '../objects/types.ts'
import type { Controller } from './loop.ts'

const owned = kinds.filter((kind) => kind.resource !== 'events')

function ownerOf(
  { store }: Cluster,
  object: Obj,
  reference: { apiVersion: string; kind: string; name: string; uid: string },
): Obj | undefined {
  const kind = kindNamed(reference.apiVersion, reference.kind)
  const owner =
    kind && store.get(kind.resource, kind.namespaced ? object.metadata.namespace : undefined, reference.name)
  return owner?.metadata.uid === reference.uid ? owner : undefined
}

function dependents({ store }: Cluster, { metadata }: Obj): [Kind, Obj][] {
  const belongs = (object: Obj): boolean =>
    object.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid) === true
  return owned.flatMap((kind) =>
    store
      .list(kind.resource, metadata.namespace)
      .filter(belongs)
      .map((object): [Kind, Obj] => [kind, object]),
  )
}

const withoutFinalizer = (object: Obj, name: string): Obj => ({
  ...object,
  metadata: { ...object.metadata, finalizers: (object.metadata.finalizers ?? []).filter((one) => one !== name) },
})

/** Removes an owner's reference from its dependents. */
function orphan(cluster: Cluster, kind: Kind, owner: Obj): void {
  for (const [of, object] of dependents(cluster, owner)) {
    const left = (object.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid)
    const { ownerReferences: _, ...metadata } = object.metadata
    cluster.store.put(of.resource, {
      ...object,
      metadata: { ...metadata, ...(left.length > 0 ? { ownerReferences: left } : {}) },
    })
  }
  finish(cluster, kind, withoutFinalizer(owner, 'orphan'))
}

/** Deletes the dependents that block the owner's deletion first, then the owner. */
function foreground(cluster: Cluster, kind: Kind, owner: Obj): void {
  let blocked = false
  for (const [of, object] of dependents(cluster, owner)) {
    if (!object.metadata.deletionTimestamp)
      deleteObject(cluster, of, object.metadata.namespace, object.metadata.name, { propagationPolicy: 'Foreground' })
    const still = cluster.store.get(of.resource, object.metadata.namespace, object.metadata.name)
    blocked ||=
      still?.metadata.ownerReferences?.some((one) => one.uid === owner.metadata.uid && one.blockOwnerDeletion) === true
  }
  if (!blocked) finish(cluster, kind, withoutFinalizer(owner, 'foregroundDeletion'))
}

/** Keys are `<namespace>/<resource> <name>`, because dependents may be of any kind. */
export const garbage: Controller = {
  name: 'garbage',
  affected(cluster, { resource, object, type }) {
    const key = (kind: string, { metadata }: Obj): string => `${metadata.namespace ?? ''}/${kind} ${metadata.name}`
    if (resource === 'events') return []
    const keys: string[] = []
    if (type === 'DELETED') {
      for (const [kind, one] of dependents(cluster, object)) keys.push(key(kind.resource, one))
      for (const reference of object.metadata.ownerReferences ?? []) {
        const kind = kindNamed(reference.apiVersion, reference.kind)
        const owner = ownerOf(cluster, object, reference)
        if (kind && owner?.metadata.deletionTimestamp) keys.push(key(kind.resource, owner))
      }
      return keys
    }
    const { finalizers, ownerReferences, deletionTimestamp } = object.metadata
    const waits = deletionTimestamp && finalizers?.some((one) => one === 'orphan' || one === 'foregroundDeletion')
    if (waits || (type === 'ADDED' && ownerReferences)) keys.push(key(resource, object))
    return keys
  },
  reconcile(cluster, namespace, key) {
    const [resource = '', name = ''] = key.split(' ')
    const kind = owned.find((one) => one.resource === resource)
    const object = kind && cluster.store.get(resource, kind.namespaced ? namespace : undefined, name)
    if (!kind || !object) return
    const { deletionTimestamp, finalizers = [], ownerReferences } = object.metadata
    if (deletionTimestamp) {
      if (finalizers.includes('orphan')) orphan(cluster, kind, object)
      else if (finalizers.includes('foregroundDeletion')) foreground(cluster, kind, object)
      return
    }
    if (!ownerReferences?.length) return
    // An owner of a kind that is not stored here is assumed to exist.
    const stands = ownerReferences.some(
      (reference) => !kindNamed(reference.apiVersion, reference.kind) || ownerOf(cluster, object, reference),
    )
    if (stands) return
    deleteObject(cluster, kind, kind.namespaced ? namespace : undefined, name, { propagationPolicy: 'Background' })
  },
}
