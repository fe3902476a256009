import { randomInt } from 'node:crypto'
import type { Cluster } from '../cluster.ts'
import { decode } from '../objects/decode.ts'
import { applyDefaults, defaultContainer } from '../objects/defaults.ts'
import { apiVersionOf, type Kind } from '../objects/kinds.ts'
import {
  alreadyExists,
  ApiError,
  badRequest,
  conflict,
  forbidden,
  invalid,
  modified,
  notFound,
  wrong,
} from '../objects/status.ts'
import type { ManagedFields, Meta, Obj, Pod } from '../objects/types.ts'
import { isRecord, sameValue } from '../objects/record.ts'
import { changeErrors, ephemeralErrors, errorsOf } from '../objects/validate.ts'
import { newMeta, seconds } from '../store/store.ts'
import { admit, admitChange } from './admission/admission.ts'
import { trackUpdate } from '../objects/apply.ts'
import { templateCount } from '../objects/workloads.ts'

export interface WriteOptions {
  dryRun?: boolean
  /** The manager for metadata.managedFields; absent for the sandbox's own controllers, which are not tracked. */
  manager?: string
  subresource?: string
  /** What happens to unknown fields. */
  validation?: 'Strict' | 'Warn' | 'Ignore'
  warn?: (text: string) => void
  /** metadata.managedFields as computed by server-side apply; `manager` is then not needed. */
  entries?: ManagedFields[]
}

const alphabet = 'bcdfghjklmnpqrstvwxz2456789'
export const randomSuffix = (): string => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')

/** A missing value that is optional by its type, but needed by all code, is reported like a value of a wrong type. */
function decoded<T>(kind: Kind, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw badRequest(
      `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${error.message.replaceAll('undefined', 'null')}`,
    )
  }
}

/**
 * Decodes the sent value as an object of this kind: a copy that may be modified, without unknown fields. Those are
 * refused, warned about or ignored, depending on `fieldValidation`.
 */
function receive(kind: Kind, given: unknown, { validation = 'Ignore', warn }: WriteOptions): Obj {
  if (!isRecord(given)) throw badRequest(`the object provided is unrecognized (must be of type ${kind.kind})`)
  if (given['apiVersion'] !== undefined && given['apiVersion'] !== apiVersionOf(kind))
    throw badRequest(
      `the API version in the data (${String(given['apiVersion'])}) does not match the expected API version (${apiVersionOf(kind)})`,
    )
  const handled = `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}`
  if (given['kind'] !== undefined && given['kind'] !== kind.kind)
    throw badRequest(
      `${String(given['kind'])} in version "${kind.version}" cannot be handled as a ${kind.kind}: converting (v1.${String(given['kind'])}) to (core.${kind.kind}): unknown conversion`,
    )
  const { object, unknown } = decode(kind, given)
  const said = unknown.map((path) => `unknown field "${path}"`)
  if (validation === 'Strict' && said.length > 0)
    throw badRequest(`${handled}: strict decoding error: ${said.join(', ')}`)
  if (validation === 'Warn') for (const text of said) warn?.(text)
  // Decoding made it match the kind's type, except for metadata, which may be missing.
  return { ...object, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: object['metadata'] ?? {} } as Obj
}

function checkAddress(kind: Kind, object: Obj, namespace: string | undefined, name: string | undefined): void {
  const { metadata } = object
  if (name !== undefined && metadata.name && metadata.name !== name)
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`)
  if (kind.namespaced && metadata.namespace && metadata.namespace !== namespace)
    throw badRequest(`the namespace of the provided object does not match the namespace sent on the request`)
}

/** Nothing can be created in a namespace that does not exist or is being deleted. */
function checkNamespace(cluster: Cluster, kind: Kind, namespace: string | undefined, name: string): void {
  if (!kind.namespaced || namespace === undefined) return
  const found = cluster.store.get('namespaces', undefined, namespace)
  if (!found) throw notFound({ group: '', plural: 'namespaces' }, namespace)
  if (found.metadata.deletionTimestamp)
    throw forbidden(
      kind,
      name,
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    )
}

export function createObject(
  cluster: Cluster,
  kind: Kind,
  namespace: string | undefined,
  given: unknown,
  options: WriteOptions = {},
): Obj {
  const object = receive(kind, given, options)
  checkAddress(kind, object, namespace, undefined)
  const base = object.metadata
  if (base.resourceVersion) throw new ApiError(500, '', 'resourceVersion should not be set on objects to be created')
  const generated = !base.name && base.generateName ? `${base.generateName.slice(0, 58)}${randomSuffix()}` : undefined
  checkNamespace(cluster, kind, namespace, base.name ?? '')
  const { deletionTimestamp: _, deletionGracePeriodSeconds: __, generation: ___, managedFields: ____, ...kept } = base
  object.metadata = {
    ...kept,
    name: generated ?? base.name ?? '',
    ...(kind.namespaced && namespace !== undefined ? { namespace } : {}),
    ...newMeta(cluster.now()),
    ...(kind.generation ? { generation: 1 } : {}),
  }
  // A kubelet creates its node together with its status.
  if (kind.subresources.includes('status') && kind.resource !== 'nodes') delete object.status
  return decoded(kind, () => {
    requireSpec(kind, object)
    applyDefaults(kind.resource, object)
    countTemplates(kind, undefined, object)
    admit(cluster, kind, object)
    const errors = errorsOf(kind, object)
    if (errors.length > 0) throw invalid(kind, object.metadata.name, errors)
    if (cluster.store.get(kind.resource, object.metadata.namespace, object.metadata.name))
      throw alreadyExists(kind, object.metadata.name)
    if (options.entries) object.metadata.managedFields = options.entries
    else if (options.manager)
      trackUpdate(kind, undefined, object, options.manager, options.subresource, seconds(cluster.now()))
    return options.dryRun ? object : cluster.store.put(kind.resource, object)
  })
}

const specless = new Set(['configmaps', 'secrets', 'serviceaccounts', 'events', 'endpoints'])

/** Like the real server's decoding, sets an empty spec if there is none; validation checks its contents. */
function requireSpec(kind: Kind, object: Obj): void {
  if (specless.has(kind.resource) || kind.group === 'rbac.authorization.k8s.io' || kind.group === 'storage.k8s.io')
    return
  if (kind.group === 'discovery.k8s.io' || kind.resource === 'namespaces' || kind.resource === 'nodes') return
  const open = object as { spec?: Record<string, unknown> }
  open.spec ??= {}
  if (kind.resource === 'pods') open.spec['containers'] ??= []
  if (kind.resource === 'cronjobs.batch') {
    const job = (open.spec['jobTemplate'] ??= {}) as { spec?: Record<string, unknown> }
    job.spec ??= {}
    return requirePods(job.spec)
  }
  const templated = ['deployments.apps', 'replicasets.apps', 'statefulsets.apps', 'daemonsets.apps', 'jobs.batch']
  if (!templated.includes(kind.resource)) return
  requirePods(open.spec)
}

function requirePods(spec: Record<string, unknown>): void {
  const template = (spec['template'] ??= {}) as { metadata?: unknown; spec?: { containers?: unknown } }
  template.spec ??= {}
  template.spec.containers ??= []
}

/** Metadata that no client may change. */
function keepMeta(old: Meta, next: Meta): Meta {
  const { deletionTimestamp, deletionGracePeriodSeconds, generation, generateName } = old
  const merged: Meta = {
    ...next,
    name: old.name,
    uid: old.uid,
    resourceVersion: old.resourceVersion,
    creationTimestamp: old.creationTimestamp,
    ...(old.namespace === undefined ? {} : { namespace: old.namespace }),
    ...(generateName === undefined ? {} : { generateName }),
    ...(generation === undefined ? {} : { generation }),
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
  }
  if (deletionTimestamp === undefined) {
    delete merged.deletionTimestamp
    delete merged.deletionGracePeriodSeconds
  }
  return merged
}

const withoutMeta = ({ metadata: _, status: __, ...rest }: Obj): unknown => rest

/**
 * Stores the new state of an object. With the status subresource only the status changes, otherwise everything except
 * the status. A write without a change keeps the resourceVersion.
 */
export function replaceObject(cluster: Cluster, kind: Kind, old: Obj, given: unknown, options: WriteOptions = {}): Obj {
  const next = receive(kind, given, options)
  const { name, namespace } = old.metadata
  checkAddress(kind, next, namespace, name)
  if (next.metadata.uid && next.metadata.uid !== old.metadata.uid)
    throw conflict(
      kind,
      name,
      `Precondition failed: UID in precondition: ${next.metadata.uid}, UID in object meta: ${old.metadata.uid}`,
    )
  if (kind.conditional && !next.metadata.resourceVersion)
    throw invalid({ group: kind.group, kind: kind.plural }, name, [
      wrong('metadata.resourceVersion', 0, 'must be specified for an update'),
    ])
  if (next.metadata.resourceVersion && next.metadata.resourceVersion !== old.metadata.resourceVersion)
    throw modified(kind, name)

  return decoded(kind, () => {
    let object: Obj
    if (options.subresource === 'status') {
      object = { ...structuredClone(old), status: next.status ?? {} }
    } else if (options.subresource === 'ephemeralcontainers') {
      object = withEphemeral(old as Pod, next as Pod)
    } else {
      object = { ...next, metadata: keepMeta(old.metadata, next.metadata) }
      if (kind.subresources.includes('status')) {
        if (old.status === undefined) delete object.status
        else object.status = structuredClone(old.status)
      }
      requireSpec(kind, object)
      carryOver(kind, old, object)
      applyDefaults(kind.resource, object)
      countTemplates(kind, old, object)
    }
    admitChange(cluster, kind, old, object)
    const changes =
      options.subresource === 'ephemeralcontainers'
        ? ephemeralErrors(old as Pod, object as Pod)
        : changeErrors(kind, old, object)
    const errors = [...errorsOf(kind, object), ...changes]
    if (errors.length > 0) throw invalid(kind, name, errors)
    // A client that writes managedFields itself sets them; an empty list clears them.
    const entries = options.entries ?? next.metadata.managedFields ?? old.metadata.managedFields
    if (entries) object.metadata.managedFields = entries
    if (sameValue(old, object)) return old
    if (kind.generation && options.subresource !== 'status' && !sameValue(withoutMeta(old), withoutMeta(object)))
      object.metadata.generation = (old.metadata.generation ?? 0) + 1
    if (options.manager && !options.entries)
      trackUpdate(kind, old, object, options.manager, options.subresource, seconds(cluster.now()))
    if (options.dryRun) return object
    return finish(cluster, kind, object)
  })
}

/** The present pod, with the new list of ephemeral containers. */
function withEphemeral(old: Pod, next: Pod): Pod {
  const object = structuredClone(old)
  const wanted = structuredClone(next.spec.ephemeralContainers ?? [])
  for (const container of wanted) defaultContainer(container)
  object.spec.ephemeralContainers = wanted
  return object
}

/** Stores an object, or removes it if its deletion has nothing left to wait for. */
export function finish(cluster: Cluster, kind: Kind, object: Obj): Obj {
  const { metadata } = object
  const waits = (metadata.finalizers?.length ?? 0) > 0 || hasSpecFinalizers(object)
  if (metadata.deletionTimestamp && !waits && (metadata.deletionGracePeriodSeconds ?? 0) === 0) {
    cluster.store.remove(kind.resource, metadata.namespace, metadata.name)
    return object
  }
  return cluster.store.put(kind.resource, object)
}

export const hasSpecFinalizers = (object: Obj): boolean =>
  object.kind === 'Namespace' && ((object.spec as { finalizers?: string[] } | undefined)?.finalizers?.length ?? 0) > 0

/** A DaemonSet numbers its templates; each of its pods has the number of its template. */
function countTemplates(kind: Kind, old: Obj | undefined, next: Obj): void {
  if (kind.resource !== 'daemonsets.apps') return
  const template = ({ spec }: Obj): unknown => (spec as { template?: unknown } | undefined)?.template
  const before = Number(old?.metadata.annotations?.[templateCount] ?? 0)
  const count = old && sameValue(template(old), template(next)) ? before : before + 1
  next.metadata.annotations = { ...next.metadata.annotations, [templateCount]: String(count) }
}

/** Keeps values that were allocated once, if an update omits them. */
function carryOver(kind: Kind, old: Obj, next: Obj): void {
  if (kind.resource === 'namespaces') next.spec = old.spec ?? {}
  if (kind.resource !== 'services') return
  const [was, is] = [old.spec as Record<string, unknown>, next.spec as Record<string, unknown>]
  if (is['type'] === 'ExternalName') return
  for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'])
    if (is[field] === undefined && was[field] !== undefined) is[field] = was[field]
}

export function mustFind(cluster: Cluster, kind: Kind, namespace: string | undefined, name: string): Obj {
  const object = cluster.store.get(kind.resource, namespace, name)
  if (!object) throw notFound(kind, name)
  return object
}

export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError
