import type { PhraseKey } from '@gantry/phrases/keys.gen'
import type { FieldProblem } from '@gantry/contract/envelope'

const statuses = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  notAllowed: 405,
  notAcceptable: 406,
  conflict: 409,
  tooLarge: 413,
  unsupported: 415,
  tooMany: 429,
  unavailable: 503,
  badGateway: 502,
  full: 507,
} as const

export type FaultKind = keyof typeof statuses

/** Values for a phrase's `{placeholders}`. */
export type Vars = Record<string, string | number>

/**
 * A failure that the user can act on: its phrase names the cause and the remedy. Anything else that is thrown becomes a
 * 500 with an id that is in the log.
 */
export class Fault extends Error {
  readonly kind: FaultKind
  readonly key: PhraseKey
  readonly vars: Vars
  readonly problems: FieldProblem[] | null
  /** Shown to non-administrators, where the phrase reveals internals of a network. */
  readonly plain: PhraseKey | undefined

  constructor(
    kind: FaultKind,
    key: PhraseKey,
    vars: Vars = {},
    problems: FieldProblem[] | null = null,
    plain?: PhraseKey,
  ) {
    super(key)
    this.name = 'Fault'
    this.kind = kind
    this.key = key
    this.vars = vars
    this.problems = problems
    this.plain = plain
  }

  get status(): number {
    return statuses[this.kind]
  }
}

/** What was found; throws the Fault of a missing resource for nothing. */
export function mustExist<T extends object | string | number>(found: T | null | undefined): T {
  if (found === null || found === undefined) throw new Fault('missing', 'resource-missing')
  return found
}

/**
 * Whoever deletes something by its number also sends its name, so that a wrong number alone deletes nothing. Undefined:
 * the product itself deletes something that it created.
 */
export function mustConfirm(given: string | undefined, name: string): void {
  if (given !== undefined && given !== name) throw new Fault('invalid', 'confirm-name-mismatch', { name })
}

/** Something that only the operator can fix. The process prints its message as one line, then exits with 1. */
export class StartError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StartError'
  }
}
