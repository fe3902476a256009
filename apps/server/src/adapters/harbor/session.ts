import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'
import { maskEchoes } from '../../kernel/secrets/masking.ts'
import { parseJson } from '../outbound/body.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { createBreakers, isTransient } from '../outbound/resting.ts'
import { retried } from '../outbound/retried.ts'

/** A Harbor and an account of it. `url` is its origin. */
export interface HarborAccess {
  url: string
  username: string
  password: string
  /** PEM of an authority that may have signed its certificate, trusted besides the usual ones. */
  ca?: string | undefined
}

export interface HarborCall {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /api/v2.0, already encoded. */
  path: string
  query?: Record<string, string | number | boolean | undefined>
  body?: object
  headers?: Record<string, string>
  /** Other statuses than 2xx that count as an answer here. */
  accepts?: readonly number[]
  signal?: AbortSignal | undefined
}

interface HarborAnswer {
  status: number
  headers: Record<string, string>
  text: string
  host: string
}

export interface HarborSettings {
  /** Whether a Harbor that keeps failing is not asked for a while. Not so where a user is waiting at a form. */
  rests?: boolean
  /** Milliseconds before the second, third … attempt at a read, before jitter. */
  pauses?: readonly number[]
  now?: () => number
}

export type AskHarbor = (access: HarborAccess, call: HarborCall) => Promise<HarborAnswer>

/** Milliseconds for a read, all its attempts together: the most that a silent Harbor costs a page. */
const readMs = 5000
/** Milliseconds for a write: deleting a large repository takes time. */
const writeMs = 30_000
const maxAnswerBytes = 8 * 1_048_576

const Errors = z.object({ errors: z.array(z.object({ code: z.string().nullish(), message: z.string() })).min(1) })

export const hostOf = ({ url }: Pick<HarborAccess, 'url'>): string => new URL(url).host

function reasonIn(text: string, { password }: HarborAccess): string {
  const problems = Errors.safeParse(jsonOf(text))
  const said = problems.success ? (problems.data.errors[0]?.message ?? '') : ''
  return maskEchoes(said, [password]).replaceAll(/\s+/g, ' ').slice(0, 300)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusalOf(status: number, text: string, access: HarborAccess): Fault {
  const host = hostOf(access)
  const reason = reasonIn(text, access) || '–'
  if (status === 401) return new Fault('badGateway', 'harbor-credentials', { host })
  if (status === 403) return new Fault('badGateway', 'harbor-forbidden', { host, reason })
  if (status === 404) return new Fault('missing', 'resource-missing')
  if (status === 412) return new Fault('conflict', 'harbor-protected', { host, reason })
  if (status === 409) return new Fault('conflict', 'harbor-conflict', { host, reason })
  if (status === 429 || status >= 500) return new Fault('unavailable', 'harbor-error', { host, status, reason })
  return new Fault('badGateway', 'harbor-refused', { host, status, reason })
}

const passing = (fault: Fault): boolean =>
  fault.key === 'harbor-error' || fault.key === 'retry-exceeded' || isTransient(fault)

const transient: ReadonlySet<PhraseKey> = new Set<PhraseKey>([
  'harbor-error',
  'outbound-unreachable',
  'outbound-timeout',
  'outbound-broken',
])

/**
 * Makes independent calls to Harbors, each with its account by HTTP Basic: no cookie is kept, so no CSRF token is
 * needed. Reads are tried three times within the time for one read. A Harbor that keeps failing is not asked for a
 * while, and calls to it fail at once.
 */
export function harborSession(
  outbound: Pick<Outbound, 'requestText'>,
  { rests = true, pauses = [300, 1200], now = Date.now }: HarborSettings = {},
): AskHarbor {
  const { unlessResting } = createBreakers({ says: 'harbor-resting', passing, now, rests })

  async function once(access: HarborAccess, call: HarborCall, left: number): Promise<HarborAnswer> {
    const { method = 'GET', path, query = {}, body, headers, accepts, signal } = call
    const url = new URL(`/api/v2.0${path}`, access.url)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value))
    const answer = await outbound.requestText({
      url,
      method,
      headers: {
        accept: 'application/json',
        authorization: `Basic ${Buffer.from(`${access.username}:${access.password}`).toString('base64')}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      timeout: Math.min(method === 'GET' ? readMs : writeMs, left),
      maxBytes: maxAnswerBytes,
      redirect: 'manual',
      ...(signal && { signal }),
      ...(access.ca && { ca: access.ca }),
    })
    const { status } = answer
    if (status >= 300 && status < 400) throw new Fault('badGateway', 'outbound-redirect', { host: url.host })
    if (!(accepts?.includes(status) ?? false) && (status < 200 || status > 299))
      throw refusalOf(status, answer.text, access)
    return { ...answer, host: url.host }
  }

  return (access, call) => {
    const { host } = new URL(access.url)
    const isRead = (call.method ?? 'GET') === 'GET'
    const attempts = {
      host,
      pauses: isRead ? pauses : [],
      now,
      mayRetry: ({ key }: Fault) => transient.has(key),
      within: isRead ? readMs : undefined,
      signal: call.signal,
    }
    return unlessResting(access.url, () => retried(attempts, (left) => once(access, call, left)))
  }
}

export const parsed = <S extends z.ZodType>({ text, host }: HarborAnswer, schema: S): z.infer<S> =>
  parseJson(text, schema, host)

export interface Slice {
  offset: number
  limit: number
}

export interface Counted<T> {
  items: T[]
  total: number
}

/** Harbor's maximum page size. */
const maxPerPage = 100

/** Reads a slice of a list from as many pages as it takes. The total is in a header. */
export async function slice<S extends z.ZodType>(
  ask: AskHarbor,
  access: HarborAccess,
  call: HarborCall,
  { offset, limit }: Slice,
  item: S,
): Promise<Counted<z.infer<S>>> {
  const size = Math.min(limit, maxPerPage)
  const fits = offset % size === 0
  const pageSize = fits ? size : maxPerPage
  const first = Math.floor(offset / pageSize)
  const items: z.infer<S>[] = []
  let total = 0
  for (let page = first; page * pageSize < offset + limit; page++) {
    const answer = await ask(access, { ...call, query: { ...call.query, page: page + 1, page_size: pageSize } })
    const found = parsed(answer, z.array(item))
    total = Number(answer.headers['x-total-count'] ?? found.length)
    items.push(...found)
    if ((page + 1) * pageSize >= total) break
  }
  const begin = offset - first * pageSize
  return { items: items.slice(begin, begin + limit), total }
}

/** A name as a part of a path; repository names, whose slashes Harbor wants encoded twice, need `twice`. */
export const part = (name: string | number): string => encodeURIComponent(String(name))
export const twice = (name: string): string => part(part(name))

/** The id of a created object: the last part of the Location header. */
export function madeId({ headers, host }: HarborAnswer): number {
  const id = Number(/\/(\d+)$/.exec(headers['location'] ?? '')?.[1])
  if (!Number.isSafeInteger(id)) throw new Fault('badGateway', 'outbound-not-json', { host })
  return id
}

/**
 * A keyword in Harbor's query language; undefined if nothing can match it: a comma or a percent sign would be syntax
 * there, and no name contains one.
 */
export const fuzzy = (field: string, keyword: string): string | undefined =>
  /^[A-Za-z0-9._/-]*$/.test(keyword) ? `${field}=~${keyword}` : undefined
