import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { Fault } from '../kernel/fault.ts'

/** An API answer is data: opened as a page, it may run nothing. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** A page of the console: scripts and styles from this server or with this page's nonce, and no other origins. */
export const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** A page of the manual: text, its style sheet, fonts and images; no scripts. */
export const manualPolicy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Set on every answer; a page replaces the policy with its own. */
export function secureHeaders(app: FastifyInstance, { tls, publicUrl }: Config): void {
  const https = tls !== undefined || (publicUrl?.startsWith('https:') ?? false)
  const common = {
    'content-security-policy': dataPolicy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'cache-control': 'no-store',
    ...(https ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(common)
  })
}

/** A proxy in front may have routed the request by the header that this server ignores. */
export function refuseTwoHosts(rawHeaders: readonly string[]): void {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length > 1) throw new Fault('invalid', 'request-two-hosts')
}
