/** The body of every answer. `code` is the HTTP status, `message` the phrase key, `errorMsg` the text in the caller's language. */
export type Envelope<T> =
  | { status: 1; data: T; code: 200; message: ''; errorMsg: null }
  | { status: 0; data: FieldProblem[] | null; code: number; message: string; errorMsg: string }

/** A problem of a request: the field, and a text. */
export interface FieldProblem {
  path: string
  key: string
  text: string
}

/** The wire's version: `Accept: application/vnd.gantry.v1+json`. */
export const mediaType = 'application/vnd.gantry.v1+json'
export const tenantHeader = 'x-tenant-id'
/**
 * A random value that pages of our origin keep in storage. Cookies are sent to every port of a host; ours are useless
 * without this value.
 */
export const proofHeader = 'gantry-proof'
/** The token of a link to join a team, sent with a visitor's calls: signing in or registering with it joins. */
export const joinHeader = 'gantry-join'
