import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Attempt } from '../../adapters/oidc/oidc.ts'

/**
 * Binds the provider's redirect to the browser that started it: only that browser has this cookie, and the answer must
 * match it. State, nonce and verifier are three hashes of its random value: none reveals another, and nothing has to be
 * stored or encrypted.
 */
export const attemptCookie = { name: 'gantry_oauth', path: '/api/oauth', seconds: 600 } as const

export const newAttempt = (): string => randomBytes(32).toString('base64url')

const derived = (purpose: string, value: string): string =>
  createHash('sha256').update(`gantry oauth ${purpose}\0${value}`).digest('base64url')

export const attemptOf = (value: string): Attempt => ({
  state: derived('state', value),
  nonce: derived('nonce', value),
  verifier: derived('verifier', value),
})

/** The attempt that this browser began and that this answer belongs to. */
export function attemptOfAnswer(cookie: string | undefined, state: string | undefined): Attempt | undefined {
  if (cookie === undefined || state === undefined || cookie.length !== 43) return undefined
  const attempt = attemptOf(cookie)
  const [given, wanted] = [Buffer.from(state), Buffer.from(attempt.state)]
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? attempt : undefined
}
