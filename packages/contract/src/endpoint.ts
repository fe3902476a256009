import { z } from 'zod'
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
 *   kind, `by` the path parameter; or, with `in: 'body'`, a field of the body, which is then read before it is known who may.
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

/** `by` is a field of the body instead. Where the body leaves it out, `otherwise` is asked for in any one team. */
interface InBody {
  in?: 'body'
  otherwise?: string
}

/** A permission, or several that are needed together: whatever a call does asks for what doing that alone would ask for. */
export type Keys = string | readonly string[]

/** The keys of everybody who is let in; none where it asks for none. */
export const permissionsOf = (access: Access): readonly string[] =>
  typeof access === 'string' ? [] : 'system' in access ? [access.system] : [access.permission ?? []].flat()

/** Whether the body says what the call is about. */
export const isInBody = (access: Access): boolean =>
  typeof access === 'object' && 'owner' in access && access.in === 'body'

/** What a call is named by: `POST /things/:id?action=start`. */
export const callOf = ({ method, path, action }: Pick<Endpoint, 'method' | 'path' | 'action'>): string =>
  `${method} ${path}${action === undefined ? '' : `?action=${action}`}`

/** Every key that a call asks for: of everybody who makes it, or for a part of what it does. */
export const requiredPermissions = ({ access, asks = [] }: Pick<Endpoint, 'access' | 'asks'>): string[] => [
  ...permissionsOf(access),
  ...(typeof access === 'object' && 'owner' in access && access.otherwise !== undefined ? [access.otherwise] : []),
  ...asks,
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
   * Where one method and path stands for several things to do, the value of `action` in the query that asks for this one.
   * Each is an endpoint of its own, with its own access, audit name, query and body.
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
  /** The answer is no envelope but a stream with this content type: a log, an artifact. `data` is then `z.unknown()`. */
  stream?: string
  /** The request body is passed on unread, up to this many bytes: uploads. */
  upload?: number
  /** A call that must still work for a user whose initial password is not changed yet. */
  beforePasswordChange?: true
  /** Permissions that the call asks for a part of its answer. */
  asks?: readonly string[]
  /**
   * Whether an API token may make the call. Without it, a token may where `access` names the team or the thing that it is
   * about. True opens what names none, and then answers for the token's team alone; false closes what only a person does.
   */
  forTokens?: boolean
  /** A write that somebody may make who looks through a role: leaving it. */
  whileViewing?: true
  /**
   * Of a read: whoever shows its answer reads again when one of these is published. Of a write: what it changes, so that whoever makes it
   * reads again what these say at once.
   */
  topics: T
}

const nothing = z.strictObject({})
type Nothing = typeof nothing

type Declared<P, Q, B, D, T> = Omit<Endpoint, 'params' | 'query' | 'body' | 'data' | 'topics'> & {
  params?: P
  query?: Q
  body?: B
  data: D
  topics?: T
}

/** Declares one call. It is the route, the typed client, the cache key, the OpenAPI entry, the audit name and the row of every sweep. */
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

export const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'data' in value

/** What a caller hands in: values before parsing. */
export interface CallInput<E extends Endpoint> {
  params?: z.input<E['params']>
  query?: z.input<E['query']>
  body?: z.input<E['body']>
}
