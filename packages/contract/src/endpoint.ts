import { z } from 'zod'
import type { PermissionKey } from './permission-keys.gen.ts'
import type { Topic } from './topic.ts'

/**
 * Who may call an endpoint. The server refuses to start where one is missing.
 *
 * - `public`: anyone, signed in or not.
 * - `user`: anyone who is signed in.
 * - `admin`: system administrators.
 * - `{ system }`: administrators, and whoever has a system role with this permission: reads of the whole installation.
 * - `{ team }`: members of the team whose id is the path parameter of that name; with `permission`, only members whose
 *   role carries it, or all of several. Team leaders and administrators hold every permission of the team.
 * - `{ owner, by }`: as above, for the team that owns the stored object, or one of the teams that share it: `owner` is its
 *   kind, `by` the path parameter; or, with `in: 'body'`, a field of the body, which is then read, and validated in this
 *   field alone, before it is known who may.
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

/** A field of the body decides instead of `by`. If the body omits it, `otherwise` is required in any one team. */
interface InBody {
  in?: 'body'
  otherwise?: string
}

/** A permission, or several that are required together: a call requires the permissions of everything that it does. */
export type Keys = string | readonly string[]

/** The permissions that every caller needs; empty where there are none. The union of them is made of these very values. */
export const permissionsOf = (access: Access): readonly PermissionKey[] =>
  (typeof access === 'string'
    ? []
    : 'system' in access
      ? [access.system]
      : [access.permission ?? []].flat()) as PermissionKey[]

/** Whether a field of the body names the subject of the call. */
export const isInBody = (access: Access): access is Extract<Access, { by: string }> =>
  typeof access === 'object' && 'owner' in access && access.in === 'body'

/** How a call is written: `POST /things/:id?action=start`. */
export const callOf = ({ method, path, action }: Pick<Endpoint, 'method' | 'path' | 'action'>): string =>
  `${method} ${path}${action === undefined ? '' : `?action=${action}`}`

/** Every permission that a call requires: for the call, or for a part of what it does. */
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
  /** The full path, parameters as `:name`. */
  path: `/${string}`
  /**
   * The value of `action` in the query that selects this endpoint, where several share one method and path. Each has
   * its own access, audit name, query and body.
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
   * The answer is not an envelope but a stream with this content type: a log, an artifact. `data` is then
   * `z.unknown()`.
   */
  stream?: string
  /** The request body is streamed to the handler, up to this many bytes: uploads. */
  upload?: number
  /** A call that is allowed before the initial password is changed. */
  beforePasswordChange?: true
  /** Permissions that are required for a part of the answer. */
  asks?: readonly string[]
  /**
   * Whether an API token may make the call. By default, a token may where `access` names the team or the object. True
   * opens a call that names none, and then answers for the token's team only; false closes what only a user does.
   */
  forTokens?: boolean
  /** A write that is allowed while viewing as a role: ending the view. */
  whileViewing?: true
  /**
   * Of a read: its answer is out of date when an event of these topics is published. Of a write: what it changes. The
   * server publishes to those that are hints, and the console that wrote reads again at once what names one of them.
   */
  topics: T
}

const nothing = z.strictObject({})
type Nothing = typeof nothing

/** A write says what it changes; with `[]`, that nothing shows it. */
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

/** Whether a call changes something. */
export const isWrite = ({ audit }: Pick<Endpoint, 'audit'>): boolean => audit !== undefined

export const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'data' in value

/** The input of a call, before parsing. */
export interface CallInput<E extends Endpoint> {
  params?: z.input<E['params']>
  query?: z.input<E['query']>
  body?: z.input<E['body']>
}
