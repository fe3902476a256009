import type { BuildIssue } from '@gantry/contract/trackers/issues'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { Fault } from '../kernel/fault.ts'
import type { Outbound } from './outbound/outbound.ts'

export interface Issue {
  title: string
  status: string
  category: BuildIssue['category']
  /** The path of its page, below the address of the tracker's pages; empty: it follows from the key. */
  path: string
}

/** A transition with the status that it leads to. */
export interface Transition {
  id: string
  name: string
  status: string
}

/**
 * What the product does with the issues of builds in any tracker, over one connection. Undefined or false: there is no
 * such issue, or the account does not see it. Faults name the cause: `trackers-silent`, `trackers-busy` (its `seconds`
 * say when to ask again), `trackers-forbidden`, `trackers-not-one`, `trackers-error`, and `outbound-refused`.
 */
export interface Tracker {
  issue(key: string, signal?: AbortSignal): Promise<Issue | undefined>
  /** The transitions that the issue can make now. */
  transitions(key: string, signal?: AbortSignal): Promise<Transition[] | undefined>
  /** Whether one of the newest comments contains the text. */
  hasComment(key: string, text: string, signal?: AbortSignal): Promise<boolean | undefined>
  comment(key: string, text: string, signal?: AbortSignal): Promise<boolean>
  move(key: string, transitionId: string, signal?: AbortSignal): Promise<boolean>
  /** Escapes a name for a comment, so that the tracker does not read it as markup. */
  plain(text: string): string
}

const budgetMs = 10_000
const maxAnswerBytes = 4 * 1_048_576

/** The seconds of a Retry-After header, which contains seconds or a date: 1 to 3600, and 60 if it is unreadable. */
export function secondsOf(retryAfter: string | undefined, now: number): number {
  const given = /^\d+$/.test(retryAfter ?? '')
    ? Number(retryAfter)
    : Math.ceil((Date.parse(retryAfter ?? '') - now) / 1000)
  return Number.isNaN(given) ? 60 : Math.min(Math.max(given, 1), 3600)
}

export interface AskTracker {
  url: URL
  authorization: string
  /** Sent by POST. */
  body?: object
  /** The phrase of the fault if the login is refused. */
  refused: PhraseKey
  signal?: AbortSignal | undefined
}
export interface Answer {
  status: number
  text: string
}

/** Any status is an answer, except those that mean that the server or the login is the problem. */
export async function askTracker(
  outbound: Outbound,
  { url, authorization, body, refused, signal }: AskTracker,
): Promise<Answer> {
  const { host } = url
  const answer = await outbound
    .requestText({
      url,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // a redirect leads to a login page
      redirect: 'manual',
      timeout: budgetMs,
      maxBytes: maxAnswerBytes,
      ...(signal === undefined ? {} : { signal }),
    })
    .catch((error: unknown) => {
      if (!(error instanceof Fault) || error.key === 'outbound-refused') throw error
      throw new Fault('badGateway', 'trackers-silent', { host })
    })
  const { status, headers, text } = answer
  if (status === 401) throw new Fault('badGateway', refused, { host })
  if (status === 429)
    throw new Fault('badGateway', 'trackers-busy', { host, seconds: secondsOf(headers['retry-after'], Date.now()) })
  if (status === 502 || status === 503 || status === 504) throw new Fault('badGateway', 'trackers-silent', { host })
  return { status, text }
}
