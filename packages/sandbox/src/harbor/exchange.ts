import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Storage } from '../registry/storage.ts'
import type { State } from './state.ts'

/** A refusal in Harbor's form. */
export class HarborError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export const notFound = (what: string): HarborError => new HarborError(404, 'NOT_FOUND', `${what} not found`)

export interface Exchange {
  state: State
  storage: Storage
  /** The address of the Harbor, as its clients use it. */
  origin: string
  request: IncomingMessage
  response: ServerResponse
  query: URLSearchParams
  /** The decoded names in the path. */
  names: readonly string[]
  body: Record<string, unknown>
}

export type Handler = (exchange: Exchange) => void

/** GET /projects/:a/repositories/:b, whose :b is encoded twice, as `repositories`. */
export type Route = [method: string, path: RegExp, handler: Handler]

export function reply({ response }: Pick<Exchange, 'response'>, status: number, body?: unknown): void {
  const text = body === undefined ? '' : JSON.stringify(body)
  response.writeHead(status, {
    ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

/** Answers 201 with the id of the created object. */
export function answerCreated(exchange: Exchange, path: string, id: number): void {
  exchange.response.setHeader('location', `/api/v2.0${path}/${id}`)
  reply(exchange, 201)
}

function count(query: URLSearchParams, name: string, otherwise: number, most: number): number {
  const text = query.get(name)
  if (text === null) return otherwise
  if (!/^\d+$/.test(text) || Number(text) > most)
    throw new HarborError(422, 'UNPROCESSABLE_ENTITY', `${name} in query should be at most ${most}`)
  return Number(text)
}

/** Answers a page of a list, with the total and a link to the next page in headers. */
export function pageOf<T>(exchange: Exchange, path: string, all: readonly T[], shape: (item: T) => object): void {
  const { query, response } = exchange
  const page = Math.max(count(query, 'page', 1, Number.MAX_SAFE_INTEGER), 1)
  const size = count(query, 'page_size', 10, 100)
  const begin = (page - 1) * size
  response.setHeader('x-total-count', all.length)
  const link = (to: number, rel: string): string => {
    const search = new URLSearchParams(query)
    search.set('page', String(to))
    search.set('page_size', String(size))
    return `</api/v2.0${path}?${search}>; rel="${rel}"`
  }
  const links = [
    ...(page > 1 ? [link(page - 1, 'prev')] : []),
    ...(begin + size < all.length ? [link(page + 1, 'next')] : []),
  ]
  if (links.length > 0) response.setHeader('link', links.join(' , '))
  reply(exchange, 200, all.slice(begin, begin + size).map(shape))
}

/** The terms of Harbor's query language in use: `field=value` and `field=~part`, separated by commas. */
export function termsOf(query: URLSearchParams): { field: string; fuzzy: boolean; value: string }[] {
  const text = query.get('q') ?? ''
  return text === ''
    ? []
    : text.split(',').map((term) => {
        const found = /^(\w+)=(~?)(.*)$/s.exec(term)
        if (!found)
          throw new HarborError(400, 'BAD_REQUEST', `the query string must contain = but it does not: ${term}`)
        return { field: found[1] ?? '', fuzzy: found[2] === '~', value: found[3] ?? '' }
      })
}

/** Whether one of the texts matches the terms for this field. */
export const fits = (terms: ReturnType<typeof termsOf>, field: string, texts: readonly string[]): boolean =>
  terms
    .filter((term) => term.field.toLowerCase() === field)
    .every(({ fuzzy, value }) => texts.some((text) => (fuzzy ? text.includes(value) : text === value)))

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
export const objectIn = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
export const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
