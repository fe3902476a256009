import type { IncomingMessage } from 'node:http'
import { applyConfiguration } from '../objects/apply.ts'
import { schemaFault } from '../objects/decode.ts'
import { isRecord } from '../objects/record.ts'
import { apiVersionOf, type Kind } from '../objects/kinds.ts'
import { mergePatch } from '../objects/merge-patch.ts'
import {
  ApiError,
  badRequest,
  conflict,
  invalid,
  notAllowed,
  notFound,
  required,
  unsupportedMedia,
  wrong,
} from '../objects/status.ts'
import type { Obj } from '../objects/types.ts'
import { seconds } from '../store/store.ts'
import { send, type ResourceCall } from './call.ts'
import { deleteObject, deleteOptions } from './delete.ts'
import { listObjects, selection } from './list.ts'
import { isDryRun, isTrue, managerOf, parseJson, readBody } from './request.ts'
import { fromScale, toScale } from './scale.ts'
import { createObject, mustFind, replaceObject, type WriteOptions } from './write.ts'
import { watchObjects } from './watch.ts'

/** The verb for access rules. */
export function verbOf(method: string, query: URLSearchParams, name: string | undefined): string {
  if (method === 'GET' || method === 'HEAD') {
    if (name !== undefined) return 'get'
    return isTrue(query.get('watch')) ? 'watch' : 'list'
  }
  if (method === 'DELETE') return name === undefined ? 'deletecollection' : 'delete'
  return { POST: 'create', PUT: 'update', PATCH: 'patch' }[method] ?? method.toLowerCase()
}

const mediaType = (request: IncomingMessage): string =>
  (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

const bodies = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', 'application/cbor']

export async function readObject(request: IncomingMessage): Promise<unknown> {
  const type = mediaType(request)
  if (type !== '' && type !== 'application/json') throw unsupportedMedia(bodies)
  const text = await readBody(request)
  if (text === '') throw badRequest('the object provided is unrecognized: the body is empty')
  return parseJson(text, "couldn't get version/kind; json parse error")
}

/** get, list, watch, create, update, patch, delete and deletecollection, also of `status` and `scale`. */
export async function serveResource(call: ResourceCall): Promise<void> {
  const { cluster, target, query, request, response } = call
  const { kind, namespace, name, subresource } = target
  const verb = verbOf(request.method ?? 'GET', query, name)
  const scale = subresource === 'scale'
  const view = (object: Obj): unknown => (scale ? toScale(object) : object)

  switch (verb) {
    case 'list':
      return send(response, 200, listObjects(cluster, kind, namespace, query))
    case 'watch':
      return watchObjects(cluster, kind, namespace, query, response, call.stopped)
    case 'get':
      return send(response, 200, view(mustFind(cluster, kind, namespace, name ?? '')))
    case 'create': {
      if (name !== undefined || (kind.namespaced && namespace === undefined)) throw notAllowed()
      const body = await readObject(request)
      return send(response, 201, createObject(cluster, kind, namespace, body, writing(call)))
    }
    case 'update': {
      if (name === undefined) throw notAllowed()
      const body = await readObject(request)
      checkName(body, name)
      const old = mustFind(cluster, kind, namespace, name)
      return send(
        response,
        200,
        view(replaceObject(cluster, kind, old, scale ? fromScale(old, body) : body, writing(call))),
      )
    }
    case 'patch': {
      if (name === undefined) throw notAllowed()
      const [object, made] = await patch(call, name)
      return send(response, made ? 201 : 200, view(object))
    }
    case 'delete': {
      if (subresource) throw notAllowed()
      const body = await readOptions(request)
      const answer = deleteObject(cluster, kind, namespace, name ?? '', deleteOptions(body, query, isDryRun(query)))
      // The real server answers the object if the deletion is not finished, with 202 if a namespace waits.
      return send(response, 200, answer)
    }
    case 'deletecollection':
      return send(response, 200, await deleteCollection(call))
    default:
      throw notAllowed()
  }
}

const writing = ({ request, response, query, target }: ResourceCall): WriteOptions => {
  const validation = query.get('fieldValidation') || 'Warn'
  if (validation !== 'Strict' && validation !== 'Warn' && validation !== 'Ignore')
    throw badRequest(`fieldValidation parameter unsupported: ${validation}`)
  return {
    dryRun: isDryRun(query),
    manager: managerOf(request, query),
    validation,
    warn: (text) => void response.appendHeader('warning', `299 - ${JSON.stringify(text)}`),
    ...(target.subresource ? { subresource: target.subresource } : {}),
  }
}

/** The name in the object, if present, must match the name in the path. */
function checkName(body: unknown, name: string): void {
  const said = isRecord(body) && isRecord(body['metadata']) ? body['metadata']['name'] : undefined
  if (typeof said === 'string' && said !== '' && said !== name)
    throw badRequest(`the name of the object (${said}) does not match the name on the URL (${name})`)
}

async function readOptions(request: IncomingMessage): Promise<unknown> {
  const text = await readBody(request)
  return text === '' ? undefined : parseJson(text, 'unable to decode the delete options')
}

async function deleteCollection(call: ResourceCall): Promise<unknown> {
  const { cluster, target, query, request } = call
  const { kind, namespace } = target
  if (kind.resource === 'namespaces' || (kind.namespaced && namespace === undefined)) throw notAllowed()
  const options = deleteOptions(await readOptions(request), query, isDryRun(query))
  const fits = selection(kind, query)
  const list = listObjects(cluster, kind, namespace, new URLSearchParams())
  const chosen = cluster.store.list(kind.resource, namespace).filter(fits)
  for (const { metadata } of chosen) deleteObject(cluster, kind, metadata.namespace, metadata.name, options)
  return { ...list, items: chosen.map(({ kind: _, apiVersion: __, ...rest }) => rest) }
}

const patches = ['application/merge-patch+json', 'application/apply-patch+yaml']

async function patch(call: ResourceCall, name: string): Promise<[Obj, made: boolean]> {
  const { cluster, target, request } = call
  const { kind, namespace, subresource } = target
  const type = mediaType(request)
  if (!patches.includes(type)) throw new ApiError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})
  const body = parseJson(await readBody(request), 'error decoding patch')
  if (!isRecord(body)) throw badRequest('error decoding patch: it must be an object')
  const old = cluster.store.get(kind.resource, namespace, name)
  const scale = subresource === 'scale'
  if (type === 'application/merge-patch+json') {
    if (!old) throw notFound(kind, name)
    const merged = mergePatch(scale ? toScale(old) : old, body)
    // A version in the patch itself is a precondition; otherwise merging keeps the version that was just read.
    return [replaceObject(cluster, kind, old, scale ? fromScale(old, merged) : merged, writing(call)), false]
  }
  return apply(call, kind, namespace, name, old, scale ? (fromScale(undefined, body) as Record<string, unknown>) : body)
}

function apply(
  call: ResourceCall,
  kind: Kind,
  namespace: string | undefined,
  name: string,
  old: Obj | undefined,
  body: Record<string, unknown>,
): [Obj, made: boolean] {
  const { cluster, query, target } = call
  const manager = query.get('fieldManager')
  if (!manager)
    throw invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [
      required('fieldManager', 'is required for apply patch'),
    ])
  const metadata = (body['metadata'] ?? {}) as {
    name?: string
    namespace?: string
    uid?: string
    managedFields?: unknown
  }
  const said = schemaFault(kind, body)
  if (said !== undefined) {
    const where = `${metadata.namespace ?? ''}/${metadata.name ?? ''}; ${apiVersionOf(kind)}, Kind=${kind.kind}`
    const label = kind.group === '' ? where.replace('; ', '; /') : where
    throw new ApiError(500, '', `failed to create typed patch object (${label}): ${said}`)
  }
  if (metadata.managedFields) throw badRequest('metadata.managedFields must be nil')
  checkName(body, name)
  checkUid(kind, name, old, metadata.uid)
  if (!old && target.subresource) throw notFound(kind, name)
  const given = {
    ...body,
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { ...metadata, name, ...(namespace === undefined ? {} : { namespace }) },
  }
  const { object, entries } = applyConfiguration(kind, old, given, {
    manager,
    force: isTrue(query.get('force')),
    time: seconds(cluster.now()),
    ...(target.subresource ? { subresource: target.subresource } : {}),
  })
  const options = { ...writing(call), entries }
  if (!old) return [createObject(cluster, kind, namespace, object, options), true]
  return [replaceObject(cluster, kind, old, object, options), false]
}

function checkUid(kind: Kind, name: string, old: Obj | undefined, uid: string | undefined): void {
  if (uid === undefined || uid === old?.metadata.uid) return
  if (old) throw invalid(kind, name, [wrong('metadata.uid', uid, 'field is immutable')])
  throw conflict(kind, name, `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`)
}
