import { isDeepStrictEqual } from 'node:util'
import { deleteObject } from '../api/delete.ts'
import { authority as certificate } from '../authority.ts'
import type { Cluster } from '../cluster.ts'
import { kindOf, type Kind, kinds } from '../objects/kinds.ts'
import type { Condition, ConfigMap, Namespace, Obj } from '../objects/types.ts'
import { newMeta, seconds } from '../store/store.ts'
import type { Controller } from './loop.ts'

const contents = kinds.filter((kind) => kind.namespaced)

/** The initial objects of every namespace. */
function furnish({ store, now }: Cluster, namespace: string): void {
  const account: Obj = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default', namespace, ...newMeta(now()) },
  }
  const authority: ConfigMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kube-root-ca.crt', namespace, ...newMeta(now()) },
    data: { 'ca.crt': certificate },
  }
  if (!store.get('serviceaccounts', namespace, 'default')) store.put('serviceaccounts', account)
  if (!store.get('configmaps', namespace, authority.metadata.name)) store.put('configmaps', authority)
}

/** Counts of remaining objects, in the text and the order of the real controller. */
const joinCounts = (counts: ReadonlyMap<string, number>, verb: string): string =>
  [...counts]
    .map(([what, count]) => `${what} ${verb} ${count} resource instances`)
    .sort()
    .join(', ')

/** Why a namespace is not deleted yet: the kinds with remaining objects, and its finalizers. */
function conditionsOf({ now }: Cluster, { status }: Namespace, left: readonly { kind: Kind; object: Obj }[]) {
  const [remaining, finalizers] = [new Map<string, number>(), new Map<string, number>()]
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  for (const { kind, object } of left) {
    count(remaining, `${kind.plural}.${kind.group}`)
    for (const finalizer of object.metadata.finalizers ?? []) count(finalizers, finalizer)
  }
  const said = (type: string, isTrue: boolean, reason: string, message: string): Condition => {
    const condition: Condition = { type, status: isTrue ? 'True' : 'False', reason, message }
    const before = status.conditions?.find((one) => one.type === type)
    const isSame = before?.status === condition.status && before.message === message
    return { ...condition, lastTransitionTime: (isSame && before.lastTransitionTime) || seconds(now()) }
  }
  const isHeld = finalizers.size > 0
  return [
    said('NamespaceDeletionDiscoveryFailure', false, 'ResourcesDiscovered', 'All resources successfully discovered'),
    said(
      'NamespaceDeletionGroupVersionParsingFailure',
      false,
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    said(
      'NamespaceDeletionContentFailure',
      false,
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    said(
      'NamespaceContentRemaining',
      true,
      'SomeResourcesRemain',
      `Some resources are remaining: ${joinCounts(remaining, 'has')}`,
    ),
    said(
      'NamespaceFinalizersRemaining',
      isHeld,
      isHeld ? 'SomeFinalizersRemain' : 'ContentHasNoFinalizers',
      isHeld
        ? `Some content in the namespace has finalizers remaining: ${joinCounts(finalizers, 'in')}`
        : 'All content-preserving finalizers finished',
    ),
  ]
}

/** Deletes the objects in a namespace that is being deleted, and then the namespace itself. */
function finalize(cluster: Cluster, namespace: Namespace): void {
  const { store } = cluster
  const { name } = namespace.metadata
  for (const kind of contents)
    for (const { metadata } of store.list(kind.resource, name))
      if (!metadata.deletionTimestamp)
        deleteObject(cluster, kind, name, metadata.name, { propagationPolicy: 'Background' })
  const left = contents.flatMap((kind) => store.list(kind.resource, name).map((object) => ({ kind, object })))
  if (left.length > 0) {
    const conditions = conditionsOf(cluster, namespace, left)
    if (!isDeepStrictEqual(conditions, namespace.status.conditions))
      store.put('namespaces', { ...namespace, status: { ...namespace.status, conditions } })
    return
  }
  if (namespace.metadata.finalizers?.length) {
    if (namespace.spec.finalizers?.length) store.put('namespaces', { ...namespace, spec: {} })
    return
  }
  store.remove(kindOf('namespaces').resource, undefined, name)
}

export const namespaces: Controller = {
  name: 'namespaces',
  affected({ store }, { resource, object, type }) {
    if (resource === 'namespaces') return type === 'DELETED' ? [] : [`/${object.metadata.name}`]
    const home = object.metadata.namespace
    if (home === undefined) return []
    const going = store.get('namespaces', undefined, home)?.metadata.deletionTimestamp !== undefined
    const vital = resource === 'serviceaccounts' || resource === 'configmaps'
    return going || (vital && type === 'DELETED') ? [`/${home}`] : []
  },
  reconcile(cluster, _, name) {
    const namespace = cluster.store.get('namespaces', undefined, name)
    if (!namespace) return
    if (namespace.metadata.deletionTimestamp) finalize(cluster, namespace)
    else furnish(cluster, name)
  },
}
