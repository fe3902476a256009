import { type ChatKind, isChat } from '@gantry/contract/webhooks/chat'
import { mask } from '@gantry/contract/validators'
import { z } from 'zod'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { keepSecret, open, seal, maskSealed } from '../../kernel/secrets/secrets.ts'

/** The receiver of messages to a URL: a program, or a group in a chat. */
interface Receiver {
  kind: string
  url: string
  secret: string
}

/** As stored: the secret is encrypted; for a chat, whose URL is secret too, both are encrypted together. */
interface Sealed {
  kind: string
  url: string
  secret: string | null
}

const Address = z.object({ url: z.string(), secret: z.string() })
type Address = z.infer<typeof Address>

/** Anybody with a chat's URL may write into it, so only its host is shown and stored in the clear. */
const hostOf = (url: string): string => new URL(url).origin

export function openChat(ctx: Pick<Ctx, 'keys' | 'secrets'>, sealed: string): Address {
  const address = Address.parse(JSON.parse(open(ctx, sealed)))
  ctx.secrets.add(address.url)
  if (address.secret !== '') ctx.secrets.add(address.secret)
  return address
}

type Sealing = Pick<Ctx, 'keys' | 'secrets' | 'told'>

/** A masked URL keeps URL and secret; another URL never gets a stored secret. */
function sealChat(ctx: Sealing, { kind, ...input }: Receiver & { kind: ChatKind }, before: Sealed | undefined) {
  const isKept = before?.kind === kind && before.url === input.url && before.secret !== null
  const kept = isKept ? openChat(ctx, before.secret ?? '') : undefined
  if (!kept && input.url.endsWith(mask)) throw new Fault('invalid', 'webhooks-address-again')
  if (!kept && input.secret === mask) throw new Fault('invalid', 'webhooks-secret-again')
  const url = kept?.url ?? input.url
  ctx.told.add(url)
  const secret = input.secret === mask ? (kept?.secret ?? '') : input.secret
  return { url: `${hostOf(url)}/${mask}`, secret: seal(ctx, JSON.stringify({ url, secret })) }
}

/**
 * The stored form of a receiver's URL and secret. A mask keeps the stored secret only if the URL is the same; another
 * URL never gets a stored secret.
 */
export function sealReceiver(ctx: Sealing, input: Receiver, before?: Sealed): { url: string; secret: string } {
  const { kind, url } = input
  if (isChat(kind)) return sealChat(ctx, { ...input, kind }, before)
  const isSame = before?.kind === kind && before.url === url
  const secret = keepSecret(ctx, input.secret, before?.secret ?? null, isSame)
  if (secret === null) throw new Fault('invalid', 'webhooks-secret-again')
  return { url, secret }
}

/** The same for the audit log. */
export const notedReceiver = ({ kind, url, secret }: Receiver): { url: string; secret: string } => ({
  url: isChat(kind) ? hostOf(url) : url,
  secret: maskSealed(secret),
})
