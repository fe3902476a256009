import { deleteObject } from '../api/delete.ts'
import { authority as certificate } from '../authority.ts'
import type { Cluster } from '../cluster.ts'
import { kindOf, kinds } from '../objects/kinds.ts'
import type { ConfigMap, Namespace, Obj } from '../objects/types.ts'
import { newMeta } from '../store/store.ts'
import type { Controller } from './loop.ts'

const contents = kinds.filter((kind) => kind.namespaced)

/** What every namespace has from its first moment. */
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

/** Deletes what is in a namespace that goes, and the namespace itself once it is empty. */
function finalize(cluster: Cluster, namespace: Namespace): void {
  const { store } = cluster
  const { name } = namespace.metadata
  let left = 0
  for (const kind of contents)
    for (const object of store.list(kind.resource, name)) {
      left++
      if (object.metadata.deletionTimestamp) continue
      deleteObject(cluster, kind, name, object.metadata.name, { propagationPolicy: 'Background' })
      if (!store.get(kind.resource, name, object.metadata.name)) left--
    }
  if (left > 0) return
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
