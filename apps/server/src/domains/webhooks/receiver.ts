import { type ChatKind, isChat } from '@gantry/contract/webhooks/chat'
import { mask } from '@gantry/contract/validators'
import { z } from 'zod'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { keepSecret, open, seal, maskSealed } from '../../kernel/secrets/secrets.ts'

/** Who is told by a message to a URL: a program, or a group in a chat. */
interface Receiver {
  kind: string
  url: string
  secret: string
}

/** As it is stored: the secret is sealed; of a chat, whose address is a secret too, both are sealed together. */
interface Sealed {
  kind: string
  url: string
  secret: string | null
}

const Address = z.object({ url: z.string(), secret: z.string() })
type Address = z.infer<typeof Address>

/** Whoever has a chat's address may write into it: only its host is shown and stored. */
const hostOf = (url: string): string => new URL(url).origin

export function openChat(ctx: Pick<Ctx, 'keys' | 'secrets'>, sealed: string): Address {
  const address = Address.parse(JSON.parse(open(ctx, sealed)))
  ctx.secrets.add(address.url)
  if (address.secret !== '') ctx.secrets.add(address.secret)
  return address
}

type Sealing = Pick<Ctx, 'keys' | 'secrets' | 'told'>

/** The mask of the address keeps both; another address gets no secret that was entered for the one before. */
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
 * What is stored of a receiver's address and secret. A mask keeps what is stored, as long as the address is the same: another
 * one gets no secret that was entered for the one before.
 */
export function sealReceiver(ctx: Sealing, input: Receiver, before?: Sealed): { url: string; secret: string } {
  const { kind, url } = input
  if (isChat(kind)) return sealChat(ctx, { ...input, kind }, before)
  const isSame = before?.kind === kind && before.url === url
  const secret = keepSecret(ctx, input.secret, before?.secret ?? null, isSame)
  if (secret === null) throw new Fault('invalid', 'webhooks-secret-again')
  return { url, secret }
}

/** The same of it for the audit log. */
export const notedReceiver = ({ kind, url, secret }: Receiver): { url: string; secret: string } => ({
  url: isChat(kind) ? hostOf(url) : url,
  secret: maskSealed(secret),
})
