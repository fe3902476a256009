/** The answer of a registry's token service if it gave no token; `text` is its error text, or empty. */
export interface TokenAnswer {
  host: string
  status: number
  text: string
}

/** Why authentication at a registry failed. */
export type SignInFailure =
  /** The registry or its token service refuses the user name and password, or requires them. */
  | { kind: 'credentials'; by?: TokenAnswer }
  /** Its token realm is on another host without TLS, to which no password was sent. */
  | { kind: 'realm'; realm: string }
  /** Its token service failed, or answered without a token. */
  | { kind: 'token'; by: TokenAnswer }
  /** It redirects its own paths to another host. */
  | { kind: 'elsewhere' }
  /** The server does not speak the protocol. */
  | { kind: 'protocol' }

/** Why a request to a registry failed. A value, which the caller maps to its own text. */
export type Failure =
  | SignInFailure
  /** An unexpected status; `text` is the body. */
  | { kind: 'status'; status: number; text: string }
  /** The bytes do not match the digest. */
  | { kind: 'digest' }

export type Outcome<T, F = Failure> = { ok: true; value: T } | { ok: false; failure: F }

export const done = <T>(value: T): { ok: true; value: T } => ({ ok: true, value })
export const failed = <const F>(failure: F): { ok: false; failure: F } => ({ ok: false, failure })
