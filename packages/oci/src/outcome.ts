/** Why a registry lets nobody in. */
export type SignInFailure =
  /** It refuses the user name and password, or asks for some. */
  | { kind: 'credentials' }
  /** It sends for its tokens to an address elsewhere without TLS, to which no password was sent. */
  | { kind: 'realm'; realm: string }
  /** Its token address, at `host`, answered without a token. */
  | { kind: 'token'; host: string; status: number }
  /** It names another host for what is its own. */
  | { kind: 'elsewhere' }
  /** What answers does not speak the protocol. */
  | { kind: 'protocol' }

/** Why something was not had of a registry. A value: whoever asked puts it into words of their own. */
export type Failure =
  | SignInFailure
  /** Any other answer than the one that was hoped for; `text` is its body. */
  | { kind: 'status'; status: number; text: string }
  /** It answered with other bytes than those of the digest. */
  | { kind: 'digest' }

export type Outcome<T, F = Failure> = { ok: true; value: T } | { ok: false; failure: F }

export const done = <T>(value: T): { ok: true; value: T } => ({ ok: true, value })
export const failed = <const F>(failure: F): { ok: false; failure: F } => ({ ok: false, failure })
