import type { FieldProblem } from '@gantry/contract/envelope'
import type { PhraseKey } from './language.ts'

/** The known facts about a failed call. */
export interface Failed {
  /** The HTTP status; absent without an answer. */
  status?: number
  /** The body: parsed if it was JSON, otherwise its text; absent if it was empty. */
  body?: unknown
  /** The browser's error, if no answer arrived. */
  reason?: string
  online: boolean
}

/** The text for the user: a phrase of ours, or the server's own text. */
export type FailureText = { key: PhraseKey } | { text: string }

/** The statuses whose body is shown. */
const speaking = new Set([400, 401, 403, 405, 409, 422, 500])

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const words = (body: unknown): string => {
  if (typeof body === 'string') return body.trim()
  if (!isRecord(body)) return ''
  for (const value of [body['errorMsg'], body['message'], body['error']]) {
    if (typeof value === 'string' && value !== '') return value
  }
  return ''
}

/** `type: message` of the first entry of an array error. */
function firstOfArray(body: unknown): string | undefined {
  const list = Array.isArray(body) ? body : isRecord(body) && Array.isArray(body['error']) ? body['error'] : undefined
  const first: unknown = list?.[0]
  return isRecord(first) ? `${String(first['type'])}: ${String(first['message'])}` : undefined
}

const isPage = (text: string): boolean => /^\s*<(!doctype|html)/i.test(text)

/** The error map of the specification, section 8. The first matching rule decides. */
export function explain(failed: Failed | string): FailureText {
  if (typeof failed === 'string') return { text: failed }
  const { status, body, online, reason = '' } = failed
  const said = words(body)

  // The product itself answered: its own 502 reports an error of an outside system, not of a proxy.
  if (isEnvelope(body) && said !== '') return { text: said }
  if (status === 502 || /bad gateway|cross-origin|cors/i.test(`${said} ${reason}`)) return { key: 'no-stack' }
  if (status === undefined) return { key: online ? 'no-service-instance' : 'network-timeout' }
  if (status === 504 || /gateway time-?out/i.test(said)) return { key: 'response-timeout' }
  if (speaking.has(status)) {
    const text = firstOfArray(body) ?? said
    if (text !== '' && !isPage(text)) return { text }
  }
  if (status === 401) return { key: 'login-again' }
  if (status === 404) return { key: 'resource-not-found' }
  if (status === 403) return { key: 'request-forbidden' }
  if (status === 400) return { key: 'request-parameters-wrong' }
  if (status >= 500) return { key: 'server-failed' }
  return said === '' || isPage(said) ? { key: 'server-failed' } : { text: said }
}

export const isEnvelope = (
  body: unknown,
): body is { status: 0 | 1; data: unknown; message: string; errorMsg: string } =>
  isRecord(body) && (body['status'] === 0 || body['status'] === 1) && 'data' in body

/** A failed call: status (0: no answer), phrase key, text, invalid fields, and the permissions that are missing. */
export class CallError extends Error {
  readonly status: number
  readonly key: string
  readonly problems: FieldProblem[]
  readonly needs: readonly string[]
  /** The delay that the server requests before the next attempt, in milliseconds. */
  retryAfterMs: number | undefined

  constructor(status: number, key: string, text: string, problems: FieldProblem[] = [], needs: readonly string[] = []) {
    super(text)
    this.name = 'CallError'
    this.status = status
    this.key = key
    this.problems = problems
    this.needs = needs
  }

  get text(): string {
    return this.message
  }
}
