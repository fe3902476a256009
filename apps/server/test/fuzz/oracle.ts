import type { Endpoint } from '@gantry/contract/endpoint'
import type { Role } from './roles.ts'
import type { Answer, Wire } from './wire.ts'

export type Rule =
  /** An unexpected error, or one of the server's own database. */
  | 'failure'
  /** No answer within the time limit, or none at all. */
  | 'no-answer'
  | 'no-envelope'
  /** A refusal without a readable text. */
  | 'bad-text'
  /** Data of another team in an answer. */
  | 'foreign'
  /** A call about another team's thing that succeeded. */
  | 'let-in'
  | 'secret'
  /** The process ended. */
  | 'ended'
  /** The event loop was blocked for more than 200 ms, each time the call was made and never without it. */
  | 'blocked'

export interface Finding {
  rule: Rule
  what: string
  /** Whether a busy machine may cause it too, so that it counts only if it is repeatable. */
  shaky?: boolean
}

export interface Reported extends Finding {
  /** Number of the request within the run; with the seed it repeats the finding. */
  at: number
  request: string
  answer: string
  /** Whether the same request alone has the same finding. */
  alone: boolean
}

/** Marks in all texts of a kind, so that one search finds them all. */
export interface Marks {
  /** In the names of our team's things. */
  ours: string
  theirs: string
  /** In all secrets. */
  secret: string
}

/** Refusals for trouble of the server itself. */
const ownTrouble = new Set(['server-error', 'database-read-only'])
/** Refusals that a busy machine causes temporarily. */
const trouble = new Set(['database-away', 'database-slow', 'server-busy'])
export const isBusy = ({ text }: Answer): boolean => [...trouble].some((key) => text.includes(`"${key}"`))

const plainPaths = /^\/(livez|readyz|metrics|api\/openapi\.json|api\/docs)([/?]|$)/
const pathOf = ({ target }: Pick<Wire, 'target'>): string => target.split('?', 1)[0] ?? target
const envelopeKeys = ['code', 'data', 'errorMsg', 'message', 'status'].join()

/** A mark in JSON, in a URL, in base64 at any offset, and in hex. */
function spellings(mark: string): string[] {
  const inBase64 = [0, 1, 2].map((shift) => {
    const whole = Buffer.from(`${'\0'.repeat(shift)}${mark}`)
      .toString('base64')
      .replaceAll('=', '')
    // the characters at both ends depend on the text around the mark
    return whole.slice(Math.ceil((shift * 4) / 3), -2)
  })
  return [mark, ...inBase64, Buffer.from(mark).toString('hex')]
}

export function openOracle(marks: Marks) {
  const secrets = spellings(marks.secret)

  const foreignTo = ({ sees }: Role): string[] =>
    sees === 'all'
      ? []
      : sees === 'ours'
        ? [marks.theirs]
        : sees === 'theirs'
          ? [marks.ours]
          : [marks.ours, marks.theirs]

  /**
   * Names that belong to no team, whoever chose them: of clusters, which an administrator may share between both teams,
   * and of users, whom leaders of any team find among those to add.
   */
  const shared = new Set<string>()
  const branded = new RegExp(`(?:${marks.ours}|${marks.theirs})\\w*`, 'g')
  function share({ payload }: Wire, role: Role, { audit = '' }: Endpoint): void {
    if (!audit.startsWith('user.') && !(role.sees === 'all' && audit.startsWith('environment.'))) return
    for (const [name] of (payload?.toString() ?? '').matchAll(branded)) shared.add(name)
  }
  const withoutShared = (text: string): string => text.replace(branded, (name) => (shared.has(name) ? 'shared' : name))

  /** URLs that a role has called, by its name: the audit log shows it its own refused calls. */
  const askedFor = new Map<string, Set<string>>()

  /** Findings in an answer or frame for a role; `asked` is what the role has sent itself and may read again. */
  function told(role: Role, answer: string, asked: string, target = asked): Finding[] {
    const findings: Finding[] = []
    const own = askedFor.get(role.name) ?? new Set<string>()
    askedFor.set(role.name, own)
    // the audit log keeps the query if there is one, and only the path if it names an object
    for (const url of [target, pathOf({ target })]) if (foreignTo(role).some((mark) => url.includes(mark))) own.add(url)
    const longestFirst = [...own].toSorted((one, other) => other.length - one.length)
    const text = withoutShared(longestFirst.reduce((rest, url) => rest.replaceAll(url, ''), answer))
    const around = (at: number) => JSON.stringify(text.slice(Math.max(0, at - 80), at + 80))
    for (const mark of foreignTo(role)) {
      const at = text.indexOf(mark)
      if (at >= 0 && !asked.includes(mark)) findings.push({ rule: 'foreign', what: `tells ${role.name} ${around(at)}` })
    }
    for (const spelling of secrets) {
      const at = text.indexOf(spelling)
      if (at >= 0 && role.name !== 'agent') findings.push({ rule: 'secret', what: `tells ${role.name} ${around(at)}` })
    }
    return findings
  }

  function shape(wire: Wire, answer: Answer, endpoint: Endpoint | undefined, bent: boolean): Finding[] {
    const { status, text, headers } = answer
    if (answer.hung) return [{ rule: 'no-answer', what: `after ${Math.round(answer.ms)} ms`, shaky: true }]
    if (status === 0) {
      // the connection for a refused body may be closed before its answer is read
      const much = (wire.payload?.length ?? 0) > 16_384
      return bent || much || answer.ms === 0 ? [] : [{ rule: 'no-answer', what: 'the connection ended', shaky: true }]
    }
    const path = URL.parse(wire.target, 'http://x')?.pathname ?? wire.target
    const type = String(headers['content-type'] ?? '')
    if (wire.method === 'HEAD' || status === 304 || plainPaths.test(path)) return []
    if (!type.startsWith('application/json')) {
      // anything that is not HTTP is refused without an answer's body
      if (bent && status >= 400 && status < 500 && type === '') return []
      const streamed = endpoint?.stream !== undefined && status < 300
      if (streamed || status === 302 || (status === 200 && type.startsWith('text/html'))) return []
      return [{ rule: status >= 500 ? 'failure' : 'no-envelope', what: `${status} ${type}` }]
    }
    if (status < 300 && endpoint?.stream?.startsWith('application/json')) return []
    let envelope: Record<string, unknown>
    try {
      envelope = JSON.parse(text) as Record<string, unknown>
    } catch {
      return [{ rule: 'no-envelope', what: `${status}, no JSON: ${text.slice(0, 200)}` }]
    }
    const right =
      Object.keys(envelope).toSorted().join() === envelopeKeys &&
      envelope['code'] === status &&
      (status === 200
        ? envelope['message'] === ''
        : typeof envelope['errorMsg'] === 'string' && envelope['errorMsg'] !== '')
    if (!right) return [{ rule: 'no-envelope', what: `${status} ${text.slice(0, 300)}` }]
    const { message, errorMsg } = envelope as { message: string; errorMsg: string }
    if (status >= 500 && ownTrouble.has(message))
      return [{ rule: 'failure', what: `${status} ${message}: ${errorMsg}` }]
    if (status >= 500 && trouble.has(message)) return [{ rule: 'failure', what: `${status} ${message}`, shaky: true }]
    if (status !== 200 && !bent && /\{\w+\}|\[object |\bundefined\b|TypeError/.test(errorMsg))
      return [{ rule: 'bad-text', what: `${message}: ${errorMsg}` }]
    return []
  }

  return {
    told,
    /** `bent`: a client would not send such a request, so the protocol itself may refuse it. */
    judge: (wire: Wire, role: Role, answer: Answer, endpoint?: Endpoint, bent = false): Finding[] => {
      if (endpoint) share(wire, role, endpoint)
      return [
        ...shape(wire, answer, endpoint, bent),
        ...told(
          role,
          `${JSON.stringify(answer.headers)}\n${answer.text}`,
          `${wire.target}${wire.payload?.toString('utf8') ?? ''}${JSON.stringify(wire.headers)}`,
          wire.target,
        ),
      ]
    },
    /** Findings in the server's log. */
    logged: (line: string): Finding[] =>
      secrets.some((spelling) => line.includes(spelling))
        ? [{ rule: 'secret', what: `the log: ${line.slice(0, 300)}` }]
        : [],
  }
}

export type Oracle = ReturnType<typeof openOracle>
