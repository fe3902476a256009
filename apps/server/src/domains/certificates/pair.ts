import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { Fault } from '../../kernel/fault.ts'
import { spelled } from './spelling.ts'

/** What a certificate states. */
export interface Facts {
  subject: string
  issuer: string
  names: string[]
  /** SHA-256. */
  fingerprint: string
  from: Date
  until: Date
}

/** A checked certificate with its chain, as PEM and nothing else, and its key. */
export interface Pair {
  chain: string
  privateKey: string
  facts: Facts
}

const maxInChain = 10
const block = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

/** The certificates of a text that contains nothing else: a key among them would be stored unencrypted. */
function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(block) ?? []
  if (blocks.length === 0 || pem.replaceAll(block, '').trim() !== '')
    throw new Fault('invalid', 'certificates-chain-format')
  if (blocks.length > maxInChain) throw new Fault('invalid', 'certificates-chain-long', { most: maxInChain })
  try {
    return blocks.map((one) => new X509Certificate(one))
  } catch {
    throw new Fault('invalid', 'certificates-chain-format')
  }
}

function keyIn(pem: string): KeyObject {
  if (/ENCRYPTED/.test(pem)) throw new Fault('invalid', 'certificates-key-locked')
  try {
    return createPrivateKey(pem)
  } catch {
    throw new Fault('invalid', 'certificates-key-format')
  }
}

/** Joins the lines of a name: OpenSSL writes a line for each part. */
const oneLine = (name: string): string => name.split('\n').join(', ').slice(0, 500)

/** The host names among a certificate's alternative names; others, such as addresses, are left out. */
const namesOf = ({ subjectAltName = '' }: X509Certificate): string[] => [
  ...new Set(
    subjectAltName
      .split(', ')
      .filter((one) => one.startsWith('DNS:'))
      .flatMap((one) => spelled(one.slice('DNS:'.length)) ?? []),
  ),
]

/** Maximum of host names: a refusal lists them all, and would become too long. */
const maxNames = 200

const isIssuedBy = (one: X509Certificate, above: X509Certificate): boolean =>
  one.checkIssued(above) && one.verify(above.publicKey)

/**
 * Parses a certificate with its chain and key. Throws 400 if one of them cannot be parsed, they do not belong together,
 * the chain has a gap, or the certificate is not valid at `now`, names no host, or is too weak for TLS.
 */
export function readPair(given: { certificate: string; privateKey: string }, now: Date): Pair {
  const [leaf, ...above] = certificatesIn(given.certificate)
  if (!leaf) throw new Fault('invalid', 'certificates-chain-format')
  const key = keyIn(given.privateKey)
  if (!leaf.checkPrivateKey(key)) throw new Fault('invalid', 'certificates-key-other')
  let below = leaf
  for (const next of above) {
    if (!isIssuedBy(below, next)) throw new Fault('invalid', 'certificates-chain-gap', { name: oneLine(next.subject) })
    below = next
  }
  const [from, until] = [new Date(leaf.validFrom), new Date(leaf.validTo)]
  if (now > until) throw new Fault('invalid', 'certificates-expired', { until: until.toISOString() })
  if (now < from) throw new Fault('invalid', 'certificates-not-yet', { from: from.toISOString() })
  const chain = [leaf, ...above].map((one) => one.toString()).join('')
  const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  try {
    createSecureContext({ cert: chain, key: privateKey })
  } catch (error) {
    // OpenSSL's own words; the rest of the message is an internal code
    const reason = error instanceof Error ? error.message.replace(/^.*:/, '') : ''
    throw new Fault('invalid', 'certificates-weak', { reason })
  }
  const names = namesOf(leaf)
  if (names.length === 0) throw new Fault('invalid', 'certificates-no-names')
  if (names.length > maxNames) throw new Fault('invalid', 'certificates-names-many', { most: maxNames })
  const { fingerprint256: fingerprint } = leaf
  const facts = { subject: oneLine(leaf.subject), issuer: oneLine(leaf.issuer), names, fingerprint, from, until }
  return { chain, privateKey, facts }
}
