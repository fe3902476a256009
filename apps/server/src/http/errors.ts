import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Envelope, FieldProblem } from '@gantry/contract/envelope'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { ZodError } from 'zod'
import type { Lang } from '../kernel/context.ts'
import { Fault, type Vars } from '../kernel/fault.ts'
import { flatIssue, phraseOfIssue } from '../kernel/issues.ts'
import { type Reader, isPhrase, say, sayTo } from '../kernel/phrase.ts'

/** An unsuccessful answer. `retryAfter` in seconds. */
export interface Refusal {
  status: number
  key: PhraseKey
  vars: Vars
  /** Shown to non-administrators instead of `key`. */
  plain?: PhraseKey
  /** A fault here fills the `{cause}` of the phrase. */
  cause?: unknown
  problems: FieldProblem[] | null
  retryAfter?: number
  /** The value of WWW-Authenticate, for callers that do not authenticate by a bearer token. */
  authenticate?: string
  /** Unexpected: the error is logged in full, and the caller gets the id of the log line. */
  unforeseen?: true
}

const ofStatus = (status: number, key: PhraseKey, vars: Vars = {}): Refusal => ({ status, key, vars, problems: null })

/** One mistake often causes many issues; the first few say what to fix. */
export const maxProblems = 10

function problemsOf(error: ZodError, lang: Lang): FieldProblem[] {
  return error.issues
    .slice(0, maxProblems)
    .flatMap(flatIssue)
    .map((issue) => {
      const [key, vars] = phraseOfIssue(issue)
      return { path: issue.path.map(String).join('.'), key, text: say(lang, key, vars) }
    })
}

/** A single problem with its own phrase is the refusal; otherwise the refusal names the first problem. */
function invalid(problems: FieldProblem[]): Refusal {
  const [first] = problems
  const at = first && first.path !== '' ? `${first.path}: ` : ''
  const own =
    problems.length === 1 && first && isPhrase(first.key) && !first.key.startsWith('field-') ? first.key : undefined
  return {
    status: 400,
    key: own ?? 'request-invalid',
    vars: { problem: first ? at + first.text : '' },
    problems,
  }
}

const away = /^(08|57P0|53)/
const network = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'ENOENT'])

/** The driver reports these as text only. */
const awayWords =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Cannot use a pool/

function ofDatabase(error: Error & { code?: string; severity?: string }): Refusal | undefined {
  const code = error.code ?? ''
  const retry = { retryAfter: 2 }
  const fromDatabase = error.severity !== undefined
  if (code === '57014') return { ...ofStatus(503, 'database-slow'), retryAfter: 10 }
  if (code === '25006') return { ...ofStatus(503, 'database-read-only'), retryAfter: 10 }
  // a NUL in a text: no row can contain it
  if (code === '22021' || code === '22P05') return ofStatus(400, 'request-illegal-character')
  // a number that is out of the column's range: an id that no row has
  if (code === '22003') return ofStatus(400, 'request-number-too-large')
  // an earlier read found the row, or found it unused: another call has changed it meanwhile
  if (code === '23503') return ofStatus(409, 'related-meanwhile')
  if (code === '40001' || code === '40P01') return { ...ofStatus(503, 'changed-meanwhile'), ...retry }
  if ((fromDatabase && away.test(code)) || awayWords.test(error.message))
    return { ...ofStatus(503, 'database-away'), ...retry }
  if (network.has(code) && /connect|read|write/.test((error as NodeJS.ErrnoException).syscall ?? ''))
    return { ...ofStatus(503, 'database-away'), ...retry }
  return undefined
}

/** Errors of the framework before any handler runs: a path that cannot be decoded, headers that are too long. */
const ofFramework = (error: Error & { statusCode?: number }): Refusal | undefined => {
  const status = error.statusCode
  if (status === 413) return ofStatus(413, 'body-too-large', { limit: '1 MB' })
  return status !== undefined && status >= 400 && status < 500
    ? ofStatus(status === 415 ? 415 : 400, 'request-invalid', { problem: error.message })
    : undefined
}

/** Maps whatever was thrown to the answer. */
export function refusalOf(error: unknown, lang: Lang, requestId: string): Refusal {
  if (error instanceof Fault)
    return {
      status: error.status,
      key: error.key,
      vars: error.vars,
      cause: error.cause,
      problems: error.problems,
      ...(error.plain === undefined ? {} : { plain: error.plain }),
      ...(error.kind === 'tooMany' || error.kind === 'unavailable'
        ? { retryAfter: Number(error.vars['seconds'] ?? 2) }
        : {}),
      ...(error.kind === 'unauthenticated' && error.vars['realm'] !== undefined
        ? { authenticate: `Basic realm="${error.vars['realm']}"` }
        : {}),
    }
  if (error instanceof ZodError) return invalid(problemsOf(error, lang))
  const known = error instanceof Error ? (ofDatabase(error) ?? ofFramework(error)) : undefined
  return known ?? { ...ofStatus(500, 'server-error', { requestId }), unforeseen: true }
}

export const failure = (to: Reader, refusal: Refusal): Envelope<never> => ({
  status: 0,
  data: refusal.problems,
  code: refusal.status,
  message: refusal.key,
  errorMsg: sayTo(to, refusal),
})

export const success = <T>(data: T): Envelope<T> => ({ status: 1, data, code: 200, message: '', errorMsg: null })

/** ?lang, then Accept-Language; anything that is not Chinese is English. */
export function langOf(query: string | undefined, header: string | undefined): Lang {
  if (query === 'zh' || query === 'en') return query
  for (const part of (header ?? '').slice(0, 200).split(',')) {
    const tag = part.trim().toLowerCase()
    if (/^zh\b/.test(tag)) return 'zh'
    if (/^en\b/.test(tag)) return 'en'
  }
  return 'en'
}

/** Answers on a connection that the framework does not handle, such as an upgrade's. The connection ends with it. */
export function refuseRaw(socket: Duplex, to: Reader, refusal: Refusal, requestId: string): void {
  const body = JSON.stringify(failure(to, refusal))
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
      'connection: close',
      'content-type: application/json; charset=utf-8',
      'cache-control: no-store',
      `x-request-id: ${requestId}`,
      ...(refusal.retryAfter === undefined ? [] : [`retry-after: ${refusal.retryAfter}`]),
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  )
}

/** What Node's parser could not read as a request, or refused to read further. */
export function refusalOfClient({ code }: NodeJS.ErrnoException): Refusal {
  const one = (status: number, key: Refusal['key']): Refusal => ({ status, key, vars: {}, problems: null })
  if (code === 'HPE_HEADER_OVERFLOW') return one(431, 'request-headers-too-large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return one(408, 'request-too-slow')
  return one(400, 'request-not-http')
}
