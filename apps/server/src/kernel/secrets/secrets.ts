import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { mask } from '@gantry/contract/validators'
import type { Fault } from '../fault.ts'
import type { Secrets } from './masking.ts'

/** The installation's keys by id. Secrets are sealed under `current`; older keys open what is not yet resealed. */
export interface Keys {
  current: string
  byId: ReadonlyMap<string, Buffer>
}

const version = 'sealed1'

/** Derives the cipher's 32 bytes from a key of any length; the id is part of its hash and reveals nothing of it. */
function derive(secret: string): [id: string, key: Buffer] {
  const key = createHash('sha256').update('gantry at rest\0').update(secret).digest()
  return [createHash('sha256').update(key).digest('hex').slice(0, 8), key]
}

/** `secrets`: the current one first, then the older ones that it replaces. */
export function keysOf(secrets: [string, ...string[]]): Keys {
  const derived = secrets.map(derive)
  return { current: derive(secrets[0])[0], byId: new Map(derived) }
}

/** A Ctx masks in its log what it seals or opens; keys alone are enough where nothing is logged. */
type HasKeys = { keys: Keys; secrets?: Secrets }

/** AES-256-GCM, as text: version.key.nonce.tag.content. */
export function seal({ keys, secrets }: HasKeys, text: string): string {
  const key = keys.byId.get(keys.current)
  if (!key) throw new Error('the current key is missing')
  secrets?.add(text)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(keys.current))
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return [version, keys.current, ...[nonce, cipher.getAuthTag(), content].map((b) => b.toString('base64url'))].join('.')
}

/** Throws where the key is not this installation's or the text was tampered with. */
export function open({ keys, secrets }: HasKeys, sealed: string): string {
  const [found, id = '', nonce = '', tag = '', content = ''] = sealed.split('.')
  const key = keys.byId.get(id)
  if (found !== version || !key)
    throw new Error('a stored secret was sealed under a key that GANTRY_SECRET_KEY does not name')
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'))
    .setAAD(Buffer.from(id))
    .setAuthTag(Buffer.from(tag, 'base64url'))
  const text = Buffer.concat([decipher.update(Buffer.from(content, 'base64url')), decipher.final()]).toString('utf8')
  secrets?.add(text)
  return text
}

/** Like open(), but throws `lost`, which says which secret has to be replaced, where it can no longer be opened. */
export function openOr(has: HasKeys, sealed: string, lost: () => Fault): string {
  try {
    return open(has, sealed)
  } catch {
    throw lost()
  }
}

/** Seals again under the current key, for rotation. Undefined if it is already sealed under it. */
export const resealed = (has: HasKeys, sealed: string): string | undefined =>
  sealed.split('.')[1] === has.keys.current ? undefined : seal(has, open(has, sealed))

/** What reads return in place of a secret. */
export const maskSealed = (sealed: string | null): string => (sealed === null || sealed === '' ? '' : mask)

/**
 * What to store when a form is saved. The mask stands for the stored secret, but only while `sameHost`: a credential is
 * never sent to another host. Null: no secret is stored.
 */
export function keepSecret(has: HasKeys, given: string, stored: string | null, sameHost: boolean): string | null {
  if (given === mask) return sameHost ? stored : null
  return given === '' ? null : seal(has, given)
}
