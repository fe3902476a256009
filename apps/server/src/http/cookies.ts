import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Config, ownOrigin } from '../config.ts'

export interface CookieOptions {
  maxAgeSeconds: number
  /** Lax only where another site must link back, as in OAuth. */
  sameSite: 'Strict' | 'Lax'
  /** The path under http. Under https it is `/`, as the `__Host-` prefix requires. */
  path: string
}

export interface Cookies {
  get: (name: string) => string | undefined
  set: (name: string, value: string, options: CookieOptions) => void
  clear: (name: string, path: string) => void
}

/**
 * The server's cookies are HttpOnly. If the public address is https they are Secure, and their names have the `__Host-`
 * prefix, which no other host and no page under http can set; a cookie without it is then ignored.
 */
export function cookiesOf(config: Config, request: FastifyRequest, reply: FastifyReply): Cookies {
  const secure = ownOrigin(config).startsWith('https:')
  const named = (name: string): string => (secure ? `__Host-${name}` : name)
  const write = (name: string, value: string, path: string, maxAge: number, sameSite: string): void =>
    void reply.header(
      'set-cookie',
      `${named(name)}=${value}; Path=${secure ? '/' : path}; Max-Age=${maxAge}; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`,
    )
  return {
    get: (name) =>
      (request.headers.cookie ?? '')
        .split(';')
        .map((pair) => pair.trim().split('='))
        .find(([found]) => found === named(name))?.[1],
    set: (name, value, { maxAgeSeconds, sameSite, path }) => write(name, value, path, maxAgeSeconds, sameSite),
    clear: (name, path) => write(name, '', path, 0, 'Strict'),
  }
}
