import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

export interface CookieOptions {
  maxAgeSeconds: number
  /** Lax only where another site must lead back here, as OAuth does. */
  sameSite: 'Strict' | 'Lax'
  /** The one path that gets it. */
  path: string
}

export interface Cookies {
  get: (name: string) => string | undefined
  set: (name: string, value: string, options: CookieOptions) => void
  clear: (name: string, path: string) => void
}

/** Whether the browser speaks https with us, itself or through the proxy that GANTRY_PUBLIC_URL names. */
const secure = ({ tls, publicUrl }: Config): boolean => tls !== undefined || (publicUrl?.startsWith('https:') ?? false)

/** Cookies of ours are never seen by scripts, and only under https where there is https. */
export function cookiesOf(config: Config, request: FastifyRequest, reply: FastifyReply): Cookies {
  const write = (name: string, value: string, path: string, maxAge: number, sameSite: string): void =>
    void reply.header(
      'set-cookie',
      `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=${sameSite}${secure(config) ? '; Secure' : ''}`,
    )
  return {
    get: (name) =>
      (request.headers.cookie ?? '')
        .split(';')
        .map((pair) => pair.trim().split('='))
        .find(([found]) => found === name)?.[1],
    set: (name, value, { maxAgeSeconds, sameSite, path }) => write(name, value, path, maxAgeSeconds, sameSite),
    clear: (name, path) => write(name, '', path, 0, 'Strict'),
  }
}
