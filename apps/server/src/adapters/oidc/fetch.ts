import type { CustomFetch } from 'openid-client'
import type { Outbound } from '../outbound/outbound.ts'

/** Each exchange with the provider, names and bodies included. Nobody who signs in waits longer for a page. */
export const exchangeMs = 5_000

/** Answers of these have no body, and a Response refuses to be given one. */
const bodiless = new Set([204, 205, 304])

/**
 * The libraries' fetch, by the rules of the outbound client: addresses checked, no redirect, bounded in time and size. What it
 * throws is a Fault that names the host and the cause.
 */
export const fetchThrough =
  (outbound: Outbound): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const answer = await outbound.requestText({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      timeout: exchangeMs,
      maxBytes: 1_048_576,
      redirect: 'manual',
      ...(signal ? { signal } : {}),
    })
    return new Response(bodiless.has(answer.status) ? null : answer.text, {
      status: answer.status,
      headers: answer.headers,
    })
  }
