import { z } from 'zod'

/**
 * Who may call an endpoint. The server refuses to start where one is missing.
 *
 * - `public`: anyone, signed in or not.
 * - `user`: anyone who is signed in.
 * - `admin`: system administrators.
 * - `{ system }`: administrators, and whoever has a system role with this permission: reads of the whole installation.
 * - `{ team }`: members of the team whose id is the path parameter of that name; with `permission`, only members whose
 *   role carries it. Team leaders and administrators hold every permission of the team.
 * - `{ owner, by }`: as above, for the team that owns the stored object, or one of the teams that share it: `owner` is its
 *   kind, `by` the path parameter.
 * - `agent`: a build agent with its own credential; never a person.
 */
export type Access =
  | 'public'
  | 'user'
  | 'admin'
  | 'agent'
  | { system: string }
  | { team: string; permission?: string }
  | { owner: string; by: string; permission?: string }

/** The key that it asks for, if it asks for one. */
export const permissionOf = (access: Access): string | undefined =>
  typeof access === 'string' ? undefined : 'system' in access ? access.system : access.permission

/** Every key that a call asks for: of everybody who makes it, or for a part of what it does. */
export const asked = ({ access, asks = [] }: Pick<Endpoint, 'access' | 'asks'>): string[] => {
  const key = permissionOf(access)
  return key === undefined ? [...asks] : [key, ...asks]
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  D extends z.ZodType = z.ZodType,
> {
  method: Method
  /** The full path, parameters as `:name`. */
  path: `/${string}`
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
  /** Permissions that the call asks for where `access` cannot say it: the body names the team, or a part of the answer. */
  asks?: readonly string[]
  /**
   * Whether an API token may make the call. Without it, a token may where `access` names the team or the thing that it is
   * about. True opens what names none, and then answers for the token's team alone; false closes what only a person does.
   */
  forTokens?: boolean
  /** A write that somebody may make who looks through a role: leaving it. */
  whileViewing?: true
}

const nothing = z.strictObject({})
type Nothing = typeof nothing

type Declared<P, Q, B, D> = Omit<Endpoint, 'params' | 'query' | 'body' | 'data'> & {
  params?: P
  query?: Q
  body?: B
  data: D
}

/** Declares one call. It is the route, the typed client, the cache key, the OpenAPI entry, the audit name and the row of every sweep. */
export function endpoint<
  D extends z.ZodType,
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
>(declared: Declared<P, Q, B, D>): Endpoint<P, Q, B, D> {
  return { params: nothing as never, query: nothing as never, body: nothing as never, ...declared }
}

export const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'data' in value

/** What a caller hands in: values before parsing. */
export interface CallInput<E extends Endpoint> {
  params?: z.input<E['params']>
  query?: z.input<E['query']>
  body?: z.input<E['body']>
}
