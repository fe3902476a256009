import { z } from 'zod'
import type { PermissionKey } from './permission-keys.gen.ts'
import type { Topic } from './topic.ts'

/**
 * Who may call an endpoint. The server refuses to start if one has no access.
 *
 * - `public`: anyone, signed in or not.
 * - `user`: anyone who is signed in.
 * - `admin`: system administrators.
 * - `{ system }`: administrators, and holders of a system role with this permission: reads of the whole installation.
 * - `{ team }`: members of the team whose id is the path parameter of that name; with `permission`, only members whose
 *   role has that permission, or all of several. Team leaders and administrators have every permission of the team.
 * - `{ owner, by }`: as above, for the team that owns the stored object, or one of the teams that share it: `owner` is
 *   its kind, `by` the path parameter; or, with `in: 'body'`, a field of the body. The body is then read before the
 *   access check, and only this field is validated before it.
 * - `agent`: a build agent with its own credential; never a person.
 */
export type Access =
  | 'public'
  | 'user'
  | 'admin'
  | 'agent'
  | { system: string }
  | { team: string; permission?: Keys }
  | ({ owner: string; by: string; permission?: Keys } & InBody)

/** A field of the body decides instead of `by`. If the body omits it, `otherwise` is required in at least one team. */
interface InBody {
  in?: 'body'
  otherwise?: string
}

/** A permission, or several that are all required: a call requires the permissions of everything that it does. */
export type Keys = string | readonly string[]

/** The permissions that every caller needs; may be empty. The type of all permissions is derived from these values. */
export const permissionsOf = (access: Access): readonly PermissionKey[] =>
  (typeof access === 'string'
    ? []
    : 'system' in access
      ? [access.system]
      : [access.permission ?? []].flat()) as PermissionKey[]

/** Whether a field of the body names the object of the call. */
export const isInBody = (access: Access): access is Extract<Access, { by: string }> =>
  typeof access === 'object' && 'owner' in access && access.in === 'body'

/** The notation of a call: `POST /things/:id?action=start`. */
export const callOf = ({ method, path, action }: Pick<Endpoint, 'method' | 'path' | 'action'>): string =>
  `${method} ${path}${action === undefined ? '' : `?action=${action}`}`

/** Every permission that a call requires, for the whole call or for a part of it. */
export const requiredPermissions = ({ access, asks = [] }: Pick<Endpoint, 'access' | 'asks'>): PermissionKey[] => [
  ...permissionsOf(access),
  ...([
    ...(typeof access === 'object' && 'owner' in access && access.otherwise !== undefined ? [access.otherwise] : []),
    ...asks,
  ] as PermissionKey[]),
]

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  D extends z.ZodType = z.ZodType,
  T extends readonly Topic[] = readonly Topic[],
> {
  method: Method
  /** The full path, with parameters as `:name`. */
  path: `/${string}`
  /**
   * The value of `action` in the query that selects this endpoint, if several share a method and path. Each has its own
   * access, audit name, query and body.
   */
  action?: string
  access: Access
  /** The action's name in the audit log, `<thing>.<verb>`. Every write has one, and every GET that changes state. */
  audit?: string
  /** One line for the API reference. */
  summary: string
  params: P
  query: Q
  body: B
  data: D
  /**
   * The answer is a stream of this content type (a log, an artifact) instead of an envelope. `data` is then
   * `z.unknown()`.
   */
  stream?: string
  /** For uploads: the request body is streamed to the handler, up to this number of bytes. */
  upload?: number
  /** Whether the call is allowed before the initial password is changed. */
  beforePasswordChange?: true
  /** Permissions for parts of the answer. */
  asks?: readonly string[]
  /**
   * Whether an API token may make the call. By default it may if `access` names the team or the object. True also
   * allows a call that names none, which then answers for the token's team only; false forbids calls of users only.
   */
  forTokens?: boolean
  /** A write that is allowed while the caller views as a role: the one that ends the view. */
  whileViewing?: true
  /**
   * For a read: an event of one of these topics makes its answer outdated. For a write: what it changes. The server
   * publishes to those that are hints, and the console that made the write at once reads again what depends on them.
   */
  topics: T
}

const nothing = z.strictObject({})
type Nothing = typeof nothing

/** A write has to declare topics; `[]` means that nothing shows its changes. */
type TopicsRule<T> = { audit: string; topics: T } | { audit?: never; topics?: T }

type Declared<P, Q, B, D, T> = Omit<Endpoint, 'params' | 'query' | 'body' | 'data' | 'topics' | 'audit'> & {
  params?: P
  query?: Q
  body?: B
  data: D
} & TopicsRule<T>

/**
 * Declares one call: the route, the typed client, the cache key, the OpenAPI entry, the audit name and the row of every
 * sweep.
 */
export function endpoint<
  D extends z.ZodType,
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
  const T extends readonly Topic[] = readonly [],
>(declared: Declared<P, Q, B, D, T>): Endpoint<P, Q, B, D, T> {
  return {
    params: nothing as never,
    query: nothing as never,
    body: nothing as never,
    topics: [] as readonly Topic[] as T,
    ...declared,
  }
}

/** Whether a call changes state. */
export const isWrite = ({ audit }: Pick<Endpoint, 'audit'>): boolean => audit !== undefined

export const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'data' in value

/** The input of a call, before parsing. */
export interface CallInput<E extends Endpoint> {
  params?: z.input<E['params']>
  query?: z.input<E['query']>
  body?: z.input<E['body']>
}
