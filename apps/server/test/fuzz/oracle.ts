import type { Endpoint } from '@gantry/contract/endpoint'
import type { Role } from './roles.ts'
import type { Answer, Wire } from './wire.ts'

export type Rule =
  /** A failure that nobody foresaw, or one of the server's own database. */
  | 'failure'
  /** No answer within the budget, or none at all. */
  | 'no-answer'
  | 'no-envelope'
  /** A refusal that does not say in words what it is about. */
  | 'bad-text'
  /** Something of another team was told. */
  | 'foreign'
  /** A call about another team's thing was taken. */
  | 'let-in'
  | 'secret'
  /** The process ended. */
  | 'ended'
  /** The event loop stood still for more than 200 ms, each time the call was made and never without it. */
  | 'blocked'

export interface Finding {
  rule: Rule
  what: string
  /** A machine that has too much to do says this as well: it counts only where it is so again and again. */
  shaky?: boolean
}

export interface Reported extends Finding {
  /** Which request of the run it was: with the seed, the way to have it again. */
  at: number
  request: string
  answer: string
  /** The same request by itself was judged the same. */
  alone: boolean
}

/** Texts that stand in everything of a kind, so that one search finds all of them. */
export interface Marks {
  /** In the names of a team's things. */
  ours: string
  theirs: string
  /** In every secret. */
  secret: string
}

/** Refusals that tell of the server's own trouble and not of something outside. */
const ownTrouble = new Set(['server-error', 'database-read-only'])
/** What comes by itself where a machine is busy, and goes. */
const trouble = new Set(['database-away', 'database-slow', 'server-busy'])
export const isBusy = ({ text }: Answer): boolean => [...trouble].some((key) => text.includes(`"${key}"`))

const plainPaths = /^\/(livez|readyz|metrics|api\/openapi\.json|api\/docs)([/?]|$)/
const pathOf = ({ target }: Pick<Wire, 'target'>): string => target.split('?', 1)[0] ?? target
const envelopeKeys = ['code', 'data', 'errorMsg', 'message', 'status'].join()

/** As JSON writes it, in a URL, in base64 wherever it begins in the text, in hex. */
function spellings(mark: string): string[] {
  const inBase64 = [0, 1, 2].map((shift) => {
    const whole = Buffer.from(`${'\0'.repeat(shift)}${mark}`)
      .toString('base64')
      .replaceAll('=', '')
    // the characters at both ends hang on what stands beside the mark
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
   * Names that are no team's, whoever gave them: of clusters, which an administrator may share between both teams, and of users, whom the
   * leader of any team finds among those to add.
   */
  const shared = new Set<string>()
  const branded = new RegExp(`(?:${marks.ours}|${marks.theirs})\\w*`, 'g')
  function share({ payload }: Wire, role: Role, { audit = '' }: Endpoint): void {
    if (!audit.startsWith('user.') && !(role.sees === 'all' && audit.startsWith('environment.'))) return
    for (const [name] of (payload?.toString() ?? '').matchAll(branded)) shared.add(name)
  }
  const withoutShared = (text: string): string => text.replace(branded, (name) => (shared.has(name) ? 'shared' : name))

  /** URLs that a role asked for, by its name: the audit trail tells it of its own refused calls. */
  const askedFor = new Map<string, Set<string>>()

  /** What is told to a role, in an answer or a frame; `asked` is what it said itself and may read again. */
  function told(role: Role, answer: string, asked: string, target = asked): Finding[] {
    const findings: Finding[] = []
    const own = askedFor.get(role.name) ?? new Set<string>()
    askedFor.set(role.name, own)
    // the trail keeps the query where it has one, and the path alone where an object is named by it
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
      // a body that is refused may be cut off before its answer is read
      const much = (wire.payload?.length ?? 0) > 16_384
      return bent || much || answer.ms === 0 ? [] : [{ rule: 'no-answer', what: 'the connection ended', shaky: true }]
    }
    const path = URL.parse(wire.target, 'http://x')?.pathname ?? wire.target
    const type = String(headers['content-type'] ?? '')
    if (wire.method === 'HEAD' || status === 304 || plainPaths.test(path)) return []
    if (!type.startsWith('application/json')) {
      // what is no HTTP is refused before there is a request to answer
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
    /** `bent`: the request is not what a client would send, so that its refusal may be the protocol's own. */
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
    /** Of the server's own log. */
    logged: (line: string): Finding[] =>
      secrets.some((spelling) => line.includes(spelling))
        ? [{ rule: 'secret', what: `the log: ${line.slice(0, 300)}` }]
        : [],
  }
}

export type Oracle = ReturnType<typeof openOracle>
