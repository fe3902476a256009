import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto'
import { LicenseClaims } from '@gantry/contract/settings/license'
import type { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'

/*
 * A license is a JWS in compact form, signed with Ed25519: base64url(header).base64url(claims).base64url(signature).
 * The public key is written as the 43 characters of a JWK's `x`.
 */

const publicKey = (x: string): KeyObject => createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })

/** The thumbprint of a public key (RFC 7638). */
export const keyIdOf = (x: string): string =>
  createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const xOf = (key: KeyObject): string => createPublicKey(key).export({ format: 'jwk' }).x ?? ''

/** Creates a key pair for an issuer: the private key as PEM, and the public key. */
export function makeIssuer(): { pem: string; x: string } {
  const { privateKey } = generateKeyPairSync('ed25519')
  return { pem: String(privateKey.export({ format: 'pem', type: 'pkcs8' })), x: xOf(privateKey) }
}

/** Throws if the PEM is no private Ed25519 key. */
export function signLicense(pem: string, claims: z.input<typeof LicenseClaims>): string {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'ed25519') throw new Fault('invalid', 'license-key-kind')
  const head = encoded({ alg: 'EdDSA', typ: 'JWT', kid: keyIdOf(xOf(key)) })
  const signed = `${head}.${encoded(LicenseClaims.parse(claims))}`
  return `${signed}.${signBytes(null, Buffer.from(signed), key).toString('base64url')}`
}

function parsed(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

/** YYYY/MM/DD HH:mm:ss in UTC, so that all readers see the same time. */
export const written = (time: string): string =>
  `${new Date(time).toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ')} UTC`

/** Tolerates an issuer's clock that is a little ahead. */
const leewayMs = 5 * 60_000

/** The claims that the issuer with this public key has signed, if valid now. Each problem has a fault of its own. */
export function verifyLicense(jws: string, x: string, now: Date): LicenseClaims {
  const [head = '', body = '', signature = '', ...rest] = jws.split('.')
  const header = parsed(head) as { alg?: unknown; kid?: unknown } | null | undefined
  if (signature === '' || rest.length > 0 || typeof header !== 'object' || header?.alg !== 'EdDSA')
    throw new Fault('invalid', 'license-malformed')
  if (header.kid !== undefined && header.kid !== keyIdOf(x)) throw new Fault('invalid', 'license-issuer')
  if (!verifyBytes(null, Buffer.from(`${head}.${body}`), publicKey(x), Buffer.from(signature, 'base64url')))
    throw new Fault('invalid', 'license-signature')
  const claims = LicenseClaims.safeParse(parsed(body))
  if (!claims.success) throw new Fault('invalid', 'license-malformed')
  const { issuedAt, expiredAt } = claims.data
  if (Date.parse(issuedAt) > now.getTime() + leewayMs)
    throw new Fault('invalid', 'license-early', { time: written(issuedAt) })
  if (Date.parse(expiredAt) <= now.getTime()) throw new Fault('invalid', 'license-over', { time: written(expiredAt) })
  return claims.data
}
