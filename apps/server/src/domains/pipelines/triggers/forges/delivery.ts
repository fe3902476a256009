import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Forge } from '@gantry/contract/pipelines/repository-url'
import { ForgeEvent, nothing, type Unbuilt } from './report.ts'
import { readGitHub } from './github.ts'
import { readGitLab } from './gitlab.ts'

/** A request before its sender is verified. */
export interface Delivery {
  header: (name: string) => string | undefined
  raw: Buffer
}

const digest = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest()

/** Compares in constant time, whatever the lengths. */
const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))

const hmac = (key: string | Buffer, ...parts: (string | Buffer)[]) =>
  parts.reduce((mac, part) => mac.update(part), createHmac('sha256', key))

/** GitLab signs with the bytes of the secret, whose text is base64 with a prefix, as Standard Webhooks specifies. */
const prefix = 'whsec_'
const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(prefix, ''), 'base64')

/** Any git host accepts it as the secret of a webhook, and GitLab also as its signing token. */
export const newHookSecret = (random: Buffer): string => prefix + random.toString('base64')

/** Whether the sender knows the secret: by its signature of the body or, for GitLab, by the token itself. */
export function isSignedWith(secret: string, { header, raw }: Delivery): boolean {
  const gitea = header('x-gitea-signature')
  if (gitea) return same(gitea, hmac(secret, raw).digest('hex'))
  const github = header('x-hub-signature-256')
  if (github) return same(github, `sha256=${hmac(secret, raw).digest('hex')}`)
  const signatures = header('webhook-signature')
  if (signatures) {
    const signed = hmac(keyOf(secret), `${header('webhook-id')}.${header('webhook-timestamp')}.`, raw).digest('base64')
    return signatures.split(' ').some((one) => same(one, `v1,${signed}`))
  }
  const token = header('x-gitlab-token')
  return token ? same(token, secret) : false
}

/** The same for every repetition of a delivery. */
export function deliveryId({ header, raw }: Delivery): string {
  const given = ['x-gitea-delivery', 'x-github-delivery', 'webhook-id', 'idempotency-key', 'x-gitlab-event-uuid'].map(
    (name) => header(name),
  )
  return given.find((one) => one)?.slice(0, 200) ?? digest(raw).toString('hex')
}

/** Reads the body of a verified request. Throws if no git host writes such a body. */
export function eventOf({ header }: Delivery, body: unknown): ForgeEvent | Unbuilt {
  const name = eventName({ header })
  const read = readBody(header, name, body)
  if (!read) return { event: name, reason: nothing }
  return 'reason' in read ? read : ForgeEvent.parse(read)
}

function readBody(header: Delivery['header'], name: string, body: unknown): ForgeEvent | Unbuilt | undefined {
  const forge = forgeOf(header)
  if (forge === 'gitlab') {
    const event = readGitLab(name, body)
    // the timestamp is signed with the body
    const seconds = header('webhook-signature') ? Number(header('webhook-timestamp')) : Number.NaN
    return event && { ...event, at: Number.isNaN(seconds) ? undefined : new Date(seconds * 1000) }
  }
  const event = readGitHub(name, body)
  // Gitea fills these fields with the time of the previous change
  return forge === 'github' ? event : event && { ...event, at: undefined }
}

/** The git host's name of the event. */
export const eventName = ({ header }: Pick<Delivery, 'header'>): string =>
  header('x-gitea-event') ?? header('x-github-event') ?? header('x-gitlab-event') ?? 'report'

/** The type of the sender. Gitea sends GitHub's headers too. */
export const forgeOf = (header: Delivery['header']): Forge =>
  header('x-gitea-event') ? 'gitea' : header('x-github-event') ? 'github' : 'gitlab'
