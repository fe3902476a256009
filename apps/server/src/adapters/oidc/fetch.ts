import type { CustomFetch } from 'openid-client'
import type { Outbound } from '../outbound/outbound.ts'

/** For each exchange with the provider, name lookup and body included: a user who logs in waits no longer. */
export const exchangeMs = 5_000

/** Answers with these statuses have no body, and the Response constructor refuses one. */
const bodiless = new Set([204, 205, 304])

/**
 * The libraries' fetch, under the rules of the outbound client: addresses checked, no redirect, limited in time and
 * size. Throws a Fault that names the host and the cause.
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
