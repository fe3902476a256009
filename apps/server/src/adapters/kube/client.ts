import type {
  AuthenticationV1TokenRequest,
  V1APIGroup,
  V1Eviction,
  V1ListMeta,
  V1Scale,
  VersionInfo,
} from '@kubernetes/client-node'
import { isKube, KubeError } from './errors.ts'
import { execIn } from './operations/exec.ts'
import { text } from './parse-object.ts'
import type { ExecOptions, ExecSession } from './operations/exec.ts'
import { readLog } from './operations/logs.ts'
import type { LogLine, LogOptions } from './operations/logs.ts'
import { type Reviews, reviewsOver } from './operations/reviews.ts'
import { readNodeLog } from './operations/node-log.ts'
import type { NodeLogOptions } from './operations/node-log.ts'
import { fieldManager, type KubeObject, type Ref, type Wire } from './objects.ts'
import { apiVersionOf, namespaces, nodes, pods, serviceAccounts } from './resources.ts'
import type { Resource } from './resources.ts'
import type { Identity, Query } from './transport/connection.ts'
import type { KubeRequest, Passed, Transport } from './transport/transport.ts'

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** Milliseconds for the whole call. Default: 5,000. */
  budget?: number | undefined
}

export interface WriteOptions extends CallOptions {
  /** The cluster validates and answers, but stores nothing. */
  dryRun?: boolean
}

export interface Selection {
  /** All namespaces if omitted. */
  namespace?: string | undefined
  /** As in `kubectl -l`: `app=web,tier!=db`. */
  labels?: string | undefined
  /** As in `kubectl --field-selector`. */
  fields?: string | undefined
}

export interface Page<T> {
  items: T[]
  /** The resourceVersion of the list: where a watch continues. */
  version: string
  /** Pass as `after` for the next page; absent on the last. */
  next?: string
  /** How many more objects there are, if the cluster says so. */
  remaining?: number
}

export interface RemoveOptions extends WriteOptions {
  /** The grace period of pods, in seconds; 0 kills. */
  grace?: number
  /** Background (the default) returns at once; Foreground keeps the object until its dependents are gone. */
  dependants?: 'Background' | 'Foreground' | 'Orphan'
  /** Deletes only the object with this uid, not a later one of the same name. */
  uid?: string
  /** Deletes only this version of the object: if it was changed since, this is refused (`conflict`). */
  version?: string
}

/**
 * The client of a cluster. Every call throws KubeError, and ends within its budget. `apply` is server-side apply with
 * the field manager `gantry`, and takes over fields from others; unknown fields are refused.
 */
export interface Kube extends Reviews {
  /** The same cluster in a user's name: the API server checks that user's rights too. */
  as: (identity: Identity) => Kube
  get: <T extends KubeObject>(resource: Resource<T>, ref: Ref, options?: CallOptions) => Promise<T>
  /** Like `get`, but undefined if there is no such object. */
  find: <T extends KubeObject>(resource: Resource<T>, ref: Ref, options?: CallOptions) => Promise<T | undefined>
  list: <T extends KubeObject>(
    resource: Resource<T>,
    selection?: Selection,
    options?: CallOptions & { limit?: number; after?: string | undefined },
  ) => Promise<Page<T>>
  /** All pages, in order. A page that is too large is requested again in smaller ones. */
  pages: <T extends KubeObject>(
    resource: Resource<T>,
    selection?: Selection,
    options?: CallOptions,
  ) => AsyncGenerator<Page<T>>
  create: <T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions) => Promise<T>
  apply: <T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions) => Promise<T>
  /** JSON merge patch: null removes a field, lists are replaced as a whole. */
  merge: <T extends KubeObject>(
    resource: Resource<T>,
    ref: Ref,
    patch: object,
    options?: WriteOptions & { subresource?: string },
  ) => Promise<T>
  /** False if there was nothing to delete. */
  remove: (resource: Resource, ref: Ref, options?: RemoveOptions) => Promise<boolean>
  /** Deletes the objects with these labels in one namespace (or all of a cluster-wide kind). */
  removeAll: (resource: Resource, selection: Selection & { labels: string }, options?: RemoveOptions) => Promise<void>
  /** Sets the number of replicas; returns the new one. */
  scale: (resource: Resource, ref: Ref, replicas: number, options?: WriteOptions) => Promise<number>
  /** Evicts a pod within its disruption budget; throws `throttled` where that forbids it now. */
  evict: (ref: Ref, options?: RemoveOptions) => Promise<void>
  log: (pod: Ref, options: LogOptions) => AsyncGenerator<LogLine>
  /** Lines of a node's service, oldest first; undefined if its kubelet does not support log queries. */
  nodeLog: (node: string, options: NodeLogOptions) => Promise<string[] | undefined>
  exec: (pod: Ref, options: ExecOptions) => Promise<ExecSession>
  /** A token of a service account, valid for about this many seconds: the cluster may shorten that. */
  token: (account: Ref, seconds: number, options?: CallOptions) => Promise<{ token: string; until: string }>
  /** Passes on a request of a program that makes its own calls to the cluster, in this client's name. */
  pass: (request: Omit<KubeRequest, 'identity'>) => Promise<Passed>
  /** The cluster's preferred version of a group, for kinds that only its messages name; it may not have the group. */
  preferredVersion: (group: string, options?: CallOptions) => Promise<string>
  /** Reads the version, which every API server reports to authenticated callers: throws `protocol` if there is none. */
  version: (options?: CallOptions) => Promise<VersionInfo>
  /**
   * The identity of the cluster: the uid of its namespace `kube-system`, which is as old as the cluster, is part of its
   * backups, and cannot be chosen.
   */
  uid: (options?: CallOptions) => Promise<string>
}

/** Encodes a name as one path segment; refuses names that could leave it. */
function segment(name: string, server: string): string {
  if (name === '' || name === '.' || name === '..' || /[/%]/.test(name))
    throw new KubeError('invalid', server, `"${name.slice(0, 100)}" is no name`)
  return encodeURIComponent(name)
}

/** The path of a kind, or of one object of it. */
export function pathOf(resource: Resource, namespace: string | undefined, server: string, ...names: string[]): string {
  const root = resource.group ? `/apis/${resource.group}/${resource.version}` : `/api/${resource.version}`
  const scope = resource.namespaced && namespace !== undefined ? `/namespaces/${segment(namespace, server)}` : ''
  return [`${root}${scope}/${resource.plural}`, ...names.map((name) => segment(name, server))].join('/')
}

const pageLimit = 500
/** Enough for a page of 500 large objects. */
const listBytes = 32 * 1024 * 1024

interface ListAnswer<T> {
  metadata?: Wire<V1ListMeta>
  items?: T[] | null
}

const deletion = ({ grace, dependants = 'Background', uid, version, dryRun }: RemoveOptions) => ({
  kind: 'DeleteOptions',
  apiVersion: 'v1',
  propagationPolicy: dependants,
  ...(grace !== undefined && { gracePeriodSeconds: grace }),
  ...((uid ?? version) !== undefined && {
    preconditions: { ...(uid !== undefined && { uid }), ...(version !== undefined && { resourceVersion: version }) },
  }),
  ...(dryRun && { dryRun: ['All'] }),
})

const writing = ({ dryRun }: WriteOptions): Query => ({
  fieldManager,
  fieldValidation: 'Strict',
  dryRun: dryRun ? 'All' : undefined,
})

const calling = ({ signal, budget }: CallOptions) => ({ signal, budget })

/** The client of a cluster over its transport. Cheap to create. */
export function kubeOver(transport: Transport, identity?: Identity): Kube {
  const { server } = transport
  const one = (resource: Resource, ref: Ref, ...sub: string[]) => {
    if (resource.namespaced && ref.namespace === undefined)
      throw new KubeError('invalid', server, `a ${resource.kind} is named with its namespace`)
    return pathOf(resource, ref.namespace, server, ref.name, ...sub)
  }

  const whole = <T extends KubeObject>(resource: Resource<T>, object: T): T => ({
    ...object,
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
  })

  const self: Kube = {
    ...reviewsOver(transport, identity),
    as: (other) => kubeOver(transport, other),

    get: async (resource, ref, options = {}) =>
      transport.json({ method: 'GET', path: one(resource, ref), identity, ...calling(options) }),

    find: async (resource, ref, options) => {
      try {
        return await self.get(resource, ref, options)
      } catch (error) {
        // with another reason not the object is missing, but its whole kind or the API
        if (isKube(error, 'missing') && error.reason === 'NotFound') return undefined
        throw error
      }
    },

    list: async <T extends KubeObject>(
      resource: Resource<T>,
      selection: Selection = {},
      options: CallOptions & { limit?: number; after?: string | undefined } = {},
    ) => {
      const answer = await transport.list<ListAnswer<T>>({
        method: 'GET',
        path: pathOf(resource, selection.namespace, server),
        query: {
          labelSelector: selection.labels,
          fieldSelector: selection.fields,
          limit: options.limit ?? pageLimit,
          continue: options.after,
        },
        identity,
        limit: listBytes,
        ...calling(options),
      })
      const { resourceVersion = '', remainingItemCount, continue: next } = answer.metadata ?? {}
      return {
        items: answer.items ?? [],
        version: resourceVersion,
        ...(next && { next }),
        ...(remainingItemCount !== undefined && { remaining: remainingItemCount }),
      }
    },

    pages: async function* <T extends KubeObject>(resource: Resource<T>, selection?: Selection, options?: CallOptions) {
      let after: string | undefined
      let limit = pageLimit
      for (;;) {
        try {
          const page: Page<T> = await self.list(resource, selection, { ...options, limit, after })
          yield page
          after = page.next
          if (after === undefined) return
        } catch (error) {
          if (!isKube(error, 'too-large') || limit <= 10) throw error
          limit = Math.ceil(limit / 5)
        }
      }
    },

    create: async (resource, object, options = {}) =>
      transport.json({
        method: 'POST',
        path: pathOf(resource, object.metadata?.namespace, server),
        query: writing(options),
        body: whole(resource, object),
        identity,
        ...calling(options),
      }),

    apply: async (resource, object, options = {}) =>
      transport.json({
        method: 'PATCH',
        path: one(resource, { name: object.metadata?.name ?? '', namespace: object.metadata?.namespace }),
        query: { ...writing(options), force: true },
        // JSON is valid YAML
        contentType: 'application/apply-patch+yaml',
        body: whole(resource, object),
        identity,
        ...calling(options),
      }),

    merge: async (resource, ref, patch, options = {}) =>
      transport.json({
        method: 'PATCH',
        path: one(resource, ref, ...(options.subresource === undefined ? [] : [options.subresource])),
        query: writing(options),
        contentType: 'application/merge-patch+json',
        body: patch,
        identity,
        ...calling(options),
      }),

    remove: async (resource, ref, options = {}) => {
      try {
        await transport.json({
          method: 'DELETE',
          path: one(resource, ref),
          body: deletion(options),
          identity,
          ...calling(options),
        })
        return true
      } catch (error) {
        if (isKube(error, 'missing') && error.reason === 'NotFound') return false
        throw error
      }
    },

    removeAll: async (resource, selection, options = {}) => {
      if (selection.labels === '' || (resource.namespaced && selection.namespace === undefined))
        throw new KubeError('invalid', server, 'a deletion of many needs a namespace and labels')
      await transport.json({
        method: 'DELETE',
        path: pathOf(resource, selection.namespace, server),
        query: { labelSelector: selection.labels, fieldSelector: selection.fields },
        body: deletion(options),
        identity,
        limit: listBytes,
        ...calling(options),
      })
    },

    scale: async (resource, ref, replicas, options = {}) => {
      const answer = await transport.json<Wire<V1Scale>>({
        method: 'PATCH',
        path: one(resource, ref, 'scale'),
        query: writing(options),
        contentType: 'application/merge-patch+json',
        body: { spec: { replicas } },
        identity,
        ...calling(options),
      })
      return answer.spec?.replicas ?? 0
    },

    evict: async (ref, options = {}) => {
      const { namespace, name } = ref
      const body: Wire<V1Eviction> = {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name, ...(namespace !== undefined && { namespace }) },
        deleteOptions: deletion(options),
      }
      const path = `${one(pods, ref)}/eviction`
      await transport.json({ method: 'POST', path, body, identity, ...calling(options) })
    },

    log: (pod, options) => readLog(transport, () => one(pods, pod, 'log'), identity, options),
    nodeLog: async (node, options) => readNodeLog(transport, one(nodes, { name: node }), identity, options),
    exec: async (pod, options) => execIn(transport, one(pods, pod, 'exec'), identity, options),

    token: async (account, seconds, options = {}) => {
      const { status } = await transport.json<Wire<AuthenticationV1TokenRequest>>({
        method: 'POST',
        path: one(serviceAccounts, account, 'token'),
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: seconds } },
        identity,
        ...calling(options),
      })
      return { token: text(status?.token), until: text(status?.expirationTimestamp) }
    },

    pass: (request) => transport.pass({ ...request, identity }),
    preferredVersion: async (group, options = {}) => {
      if (group === '') return 'v1'
      const path = `/apis/${segment(group, server)}`
      const answer = await transport.json<Wire<V1APIGroup>>({ method: 'GET', path, identity, ...calling(options) })
      const version = text(answer.preferredVersion?.version)
      if (!/^v[0-9a-z]+$/.test(version)) throw new KubeError('protocol', server, `it has no version of ${group}`)
      return version
    },
    version: (options = {}) =>
      transport
        .json<VersionInfo>({ method: 'GET', path: '/version', identity, ...calling(options) })
        .catch((error: unknown) => {
          if (!isKube(error, 'missing')) throw error
          throw new KubeError('protocol', server, error.message, { status: error.status, cause: error })
        }),

    uid: async (options) => {
      const { metadata } = await self.get(namespaces, { name: 'kube-system' }, options)
      const uid = text(metadata?.uid)
      if (uid === '') throw new KubeError('protocol', server, 'its namespace kube-system has no uid')
      return uid
    },
  }
  return self
}
