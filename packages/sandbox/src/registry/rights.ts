import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { RegistryAction, RegistryToken } from '@gantry/contract/images/registry-token'

export interface Credential {
  username: string
  password: string
}

/** Who is let in; with neither, everybody is. */
export interface Admission {
  /** Basic, with every right. */
  credential?: Credential | undefined
  /** Tokens signed with it carry the rights that they list. */
  key?: string | undefined
}

export type May = (action: RegistryAction, repository: string) => boolean

/** What the sender of this Authorization header may do; undefined where it is not let in. */
export function rightsOf({ credential, key }: Admission, authorization: string): May | undefined {
  if (credential === undefined && key === undefined) return () => true
  const [, scheme = '', given = ''] = /^(\w+) +(\S+)$/.exec(authorization) ?? []
  if (credential !== undefined && scheme.toLowerCase() === 'basic') {
    const wanted = `${credential.username}:${credential.password}`
    if (same(Buffer.from(given, 'base64').toString('utf8'), wanted)) return () => true
  }
  const token = key !== undefined && scheme.toLowerCase() === 'bearer' ? readToken(key, given) : undefined
  if (token === undefined || token.expires <= Date.now()) return undefined
  return (action, repository) =>
    token.access.some(
      (right) =>
        right.actions.includes(action) &&
        (right.repository.endsWith('/') ? repository.startsWith(right.repository) : repository === right.repository),
    )
}

function readToken(key: string, text: string): RegistryToken | undefined {
  const [content = '', signature = ''] = text.split('.')
  if (!same(signature, createHmac('sha256', key).update(content).digest('base64url'))) return undefined
  return JSON.parse(Buffer.from(content, 'base64url').toString('utf8')) as RegistryToken
}

const same = (a: string, b: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
