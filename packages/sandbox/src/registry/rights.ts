import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import {
  everyRepository,
  type RegistryAction,
  type RegistryToken,
  type RegistryRight,
} from '@gantry/contract/images/registry-token'

export interface Credential {
  username: string
  password: string
}

/** Who has access; with neither, everybody. */
export interface Admission {
  /** For Basic authentication, with all rights. */
  credential?: Credential | undefined
  /** The key of tokens, which carry their rights. */
  key?: string | undefined
  /** Accounts of Harbor: an administrator and robots. */
  accounts?: ((username: string, password: string) => May | undefined) | undefined
}

export type May = (action: RegistryAction, repository: string) => boolean

/** The rights of an Authorization header; undefined if it gives no access. */
export function rightsOf({ credential, key, accounts }: Admission, authorization: string): May | undefined {
  if (credential === undefined && key === undefined) return () => true
  const [, scheme = '', given = ''] = /^(\w+) +(\S+)$/.exec(authorization) ?? []
  const basic = accountIn(authorization)
  if (credential !== undefined && basic && isAccount(basic, credential)) return () => true
  if (accounts !== undefined && basic) return accounts(basic.username, basic.password)
  const token = key !== undefined && scheme.toLowerCase() === 'bearer' ? readToken(key, given) : undefined
  if (token === undefined || token.expires <= Date.now()) return undefined
  return (action, repository) =>
    token.access.some((right) => right.actions.includes(action) && covers(right, repository))
}

/** The name and password of a Basic Authorization header. */
export function accountIn(authorization: string): Credential | undefined {
  const given = /^Basic +(\S+)$/i.exec(authorization)?.[1]
  if (given === undefined) return undefined
  const [, username = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(given, 'base64').toString('utf8')) ?? []
  return { username, password }
}

/** In constant time, so that the time does not reveal how much of a password is right. */
export const isAccount = (given: Credential, { username, password }: Credential): boolean =>
  given.username === username && same(given.password, password)

const covers = ({ repository: given }: RegistryRight, repository: string): boolean =>
  given === everyRepository || (given.endsWith('/') ? repository.startsWith(given) : repository === given)

function readToken(key: string, text: string): RegistryToken | undefined {
  const [content = '', signature = ''] = text.split('.')
  if (!same(signature, createHmac('sha256', key).update(content).digest('base64url'))) return undefined
  return JSON.parse(Buffer.from(content, 'base64url').toString('utf8')) as RegistryToken
}

const same = (a: string, b: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
