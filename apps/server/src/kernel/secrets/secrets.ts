import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { mask } from '@gantry/contract/validators'
import type { Secrets } from './masking.ts'

/** The installation's keys by id; new secrets are sealed under `current`, older ones open until they are sealed again. */
export interface Keys {
  current: string
  byId: ReadonlyMap<string, Buffer>
}

const version = 'sealed1'

/** A key of any length gives the cipher's 32 bytes; its id is a part of its hash and tells nothing of it. */
function derive(secret: string): [id: string, key: Buffer] {
  const key = createHash('sha256').update('gantry at rest\0').update(secret).digest()
  return [createHash('sha256').update(key).digest('hex').slice(0, 8), key]
}

/** `secrets`: the current one first, then those that are being replaced. */
export function keysOf(secrets: [string, ...string[]]): Keys {
  const derived = secrets.map(derive)
  return { current: derive(secrets[0])[0], byId: new Map(derived) }
}

/** A Ctx keeps what it seals or opens out of its log; keys alone will do where nothing is logged. */
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

/** Throws where the key is not this installation's or the text was changed. */
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

/** Sealed under the current key: for rotation. Undefined where it is already. */
export const resealed = (has: HasKeys, sealed: string): string | undefined =>
  sealed.split('.')[1] === has.keys.current ? undefined : seal(has, open(has, sealed))

/** What reads answer in a secret's place. */
export const shown = (sealed: string | null): string => (sealed === null || sealed === '' ? '' : mask)

/**
 * What to store after a form was saved. The mask stands for the stored secret, and only while `sameHost`: a credential
 * never follows to another host. Null: there is none.
 */
export function keepSecret(has: HasKeys, given: string, stored: string | null, sameHost: boolean): string | null {
  if (given === mask) return sameHost ? stored : null
  return given === '' ? null : seal(has, given)
}
