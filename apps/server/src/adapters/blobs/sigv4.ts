import { createHash, createHmac } from 'node:crypto'

/** AWS Signature Version 4, for requests whose body is at hand. Source: "Signature Calculations for the Authorization Header". */
export interface SignedRequest {
  method: string
  /** Its path is signed as it is: percent-encoded once, as S3 wants it. */
  url: URL
  /** Lower-case names; all of them are signed. `host` and the x-amz ones are added. */
  headers: Record<string, string>
  body: string | Buffer
}

export interface Keys {
  accessKey: string
  secretKey: string
  region: string
}

export const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Everything but A-Z a-z 0-9 - . _ ~ , which is stricter than encodeURIComponent. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** The headers to send: those given and the signature's own. */
export function signed({ method, url, headers, body }: SignedRequest, keys: Keys, now: Date): Record<string, string> {
  const stamp = now.toISOString().replace(/[:-]|\.\d{3}/g, '')
  const day = stamp.slice(0, 8)
  const payload = sha256(body)
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': payload,
    'x-amz-date': stamp,
  }
  const names = Object.keys(all).sort()
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort()
  const canonical = [
    method,
    url.pathname,
    query.join('&'),
    ...names.map((name) => `${name}:${all[name]?.trim()}`),
    '',
    names.join(';'),
    payload,
  ]
  const scope = `${day}/${keys.region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical.join('\n'))].join('\n')
  const key = [keys.region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${keys.secretKey}`, day))
  const { host: _, ...sent } = all
  sent['authorization'] =
    `AWS4-HMAC-SHA256 Credential=${keys.accessKey}/${scope},SignedHeaders=${names.join(';')},Signature=${hmac(key, text).toString('hex')}`
  return sent
}
