/** The body of every answer. `code` is the HTTP status, `message` the phrase key, `errorMsg` the text in the caller's language. */
export type Envelope<T> =
  | { status: 1; data: T; code: 200; message: ''; errorMsg: null }
  | { status: 0; data: FieldProblem[] | null; code: number; message: string; errorMsg: string }

/** One thing wrong with a request: where, and why in words. */
export interface FieldProblem {
  path: string
  key: string
  text: string
}

/** The wire's version: `Accept: application/vnd.gantry.v1+json`. */
export const mediaType = 'application/vnd.gantry.v1+json'
export const tenantHeader = 'x-tenant-id'
/**
 * A random value of the browser's that pages keep where only their own origin reads it. Cookies go to every port of a host; ours
 * are good for nothing without it.
 */
export const proofHeader = 'gantry-proof'
