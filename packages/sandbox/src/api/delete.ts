import type { Cluster } from '../cluster.ts'
import { kinds, type Kind } from '../objects/kinds.ts'
import { ApiError, badRequest, conflict, type Status } from '../objects/status.ts'
import type { Obj, Pod } from '../objects/types.ts'
import { seconds } from '../store/store.ts'
import { mustFind, hasSpecFinalizers } from './write.ts'

export interface DeleteOptions {
  gracePeriodSeconds?: number
  propagationPolicy?: 'Orphan' | 'Background' | 'Foreground'
  preconditions?: { uid?: string; resourceVersion?: string }
  dryRun?: boolean
}

/** Kinds for which a deletion answers the deleted object. */
const returned = new Set([
  'persistentvolumes',
  'persistentvolumeclaims',
  'resourcequotas',
  'serviceaccounts',
  'services',
  'storageclasses.storage.k8s.io',
])

const policies = ['Orphan', 'Background', 'Foreground']

/** The options in the body, or without a body those in the query. */
export function deleteOptions(body: unknown, query: URLSearchParams, dryRun: boolean): DeleteOptions {
  const given = (body ?? {}) as {
    gracePeriodSeconds?: unknown
    propagationPolicy?: unknown
    orphanDependents?: unknown
    preconditions?: DeleteOptions['preconditions'] | null
    dryRun?: string[]
  }
  const grace = given.gracePeriodSeconds ?? query.get('gracePeriodSeconds') ?? undefined
  const policy = given.propagationPolicy ?? query.get('propagationPolicy') ?? undefined
  if (grace !== undefined && !/^-?\d+$/.test(String(grace))) throw badRequest('gracePeriodSeconds must be a number')
  if (policy !== undefined && !policies.includes(String(policy)))
    throw new ApiError(
      422,
      'Invalid',
      `DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "${String(policy)}": supported values: "Foreground", "Background", "Orphan", "nil"`,
    )
  return {
    ...(grace === undefined ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(policy === undefined ? {} : { propagationPolicy: String(policy) as 'Orphan' }),
    ...(given.preconditions ? { preconditions: given.preconditions } : {}),
    dryRun: dryRun || given.dryRun?.includes('All') === true,
  }
}

export function checkPreconditions(kind: Kind, object: Obj, wanted: DeleteOptions['preconditions']): void {
  const { uid, resourceVersion, name } = object.metadata
  if (wanted?.uid && wanted.uid !== uid)
    throw conflict(kind, name, `Precondition failed: UID in precondition: ${wanted.uid}, UID in object meta: ${uid}`)
  if (wanted?.resourceVersion && wanted.resourceVersion !== resourceVersion)
    throw conflict(
      kind,
      name,
      `Precondition failed: ResourceVersion in precondition: ${wanted.resourceVersion}, ResourceVersion in object meta: ${resourceVersion}`,
    )
}

/** The grace period: pods on a node end gracefully; other objects are deleted at once, or wait for their finalizers. */
function graceOf(kind: Kind, object: Obj, graceSeconds: number | undefined): number {
  if (kind.resource !== 'pods') return 0
  const { spec, status } = object as Pod
  if (!spec.nodeName || status.phase === 'Succeeded' || status.phase === 'Failed') return 0
  return Math.max(graceSeconds ?? spec.terminationGracePeriodSeconds ?? 30, 0)
}

/** Starts or finishes a deletion. Answers the object if it remains for now, and a Status if it is deleted. */
export function deleteObject(
  cluster: Cluster,
  kind: Kind,
  namespace: string | undefined,
  name: string,
  options: DeleteOptions = {},
): Obj | Status {
  const object = mustFind(cluster, kind, namespace, name)
  checkPreconditions(kind, object, options.preconditions)
  // The real server orphans the pods of a job by default.
  const policy = options.propagationPolicy ?? (kind.resource === 'jobs.batch' ? 'Orphan' : 'Background')
  const grace = graceOf(kind, object, options.gracePeriodSeconds)
  const metadata = { ...object.metadata }
  const finalizers = new Set(metadata.finalizers)
  finalizers.delete('orphan')
  finalizers.delete('foregroundDeletion')
  if (policy === 'Foreground') finalizers.add('foregroundDeletion')
  if (policy === 'Orphan' && hasDependents(cluster, object)) finalizers.add('orphan')
  if (finalizers.size > 0) metadata.finalizers = [...finalizers]
  else delete metadata.finalizers

  const stays = finalizers.size > 0 || hasSpecFinalizers(object) || grace > 0
  if (!stays) {
    if (!options.dryRun) cluster.store.remove(kind.resource, namespace, name)
    if (kind.resource === 'pods') return markDeleted(cluster, object)
    return returned.has(kind.resource) ? object : deleted(kind, object)
  }
  // A second deletion may shorten the wait, never lengthen it.
  const earlier = metadata.deletionTimestamp !== undefined
  if (earlier && (metadata.deletionGracePeriodSeconds ?? 0) <= grace && policy === 'Background') return object
  metadata.deletionTimestamp = seconds(cluster.now() + grace * 1000)
  metadata.deletionGracePeriodSeconds = grace
  const next: Obj = { ...object, metadata }
  if (kind.resource === 'namespaces') next.status = { ...(object.status as object | undefined), phase: 'Terminating' }
  return options.dryRun ? next : cluster.store.put(kind.resource, next)
}

const markDeleted = (cluster: Cluster, object: Obj): Obj => ({
  ...object,
  metadata: { ...object.metadata, deletionTimestamp: seconds(cluster.now()), deletionGracePeriodSeconds: 0 },
})

const deleted = (kind: Kind, { metadata }: Obj): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: {
    name: metadata.name,
    ...(kind.group ? { group: kind.group } : {}),
    kind: kind.plural,
    uid: metadata.uid,
  },
})

function hasDependents(cluster: Cluster, { metadata }: Obj): boolean {
  return kinds.some(
    (kind) =>
      kind.namespaced &&
      cluster.store
        .list(kind.resource, metadata.namespace)
        .some((one) => one.metadata.ownerReferences?.some((owner) => owner.uid === metadata.uid)),
  )
}
