import type { ChatKind } from '@gantry/contract/webhooks/chat'
import { mask } from '@gantry/contract/validators'
import { z } from 'zod'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { open, seal } from '../../kernel/secrets/secrets.ts'

const Address = z.object({ url: z.string(), secret: z.string() })
type Address = z.infer<typeof Address>

/** As it is shown and stored: whoever has a chat's address may write into it. */
const shownUrl = (url: string): string => `${new URL(url).origin}/${mask}`

export function openChat(ctx: Pick<Ctx, 'keys' | 'secrets'>, sealed: string): Address {
  const address = Address.parse(JSON.parse(open(ctx, sealed)))
  ctx.secrets.add(address.url)
  if (address.secret !== '') ctx.secrets.add(address.secret)
  return address
}

/**
 * The address and the secret of a chat, sealed together, and what is shown of the address. The mask of the address keeps
 * both; another address gets no secret that was entered for the one before.
 */
export function sealChat(
  ctx: Pick<Ctx, 'keys' | 'secrets' | 'told'>,
  input: { kind: ChatKind; url: string; secret: string },
  before: { kind: string; url: string; secret: string | null } | undefined,
): { url: string; secret: string } {
  const isKept = before?.kind === input.kind && before.url === input.url && before.secret !== null
  const kept = isKept ? openChat(ctx, before.secret ?? '') : undefined
  if (!kept && input.url.endsWith(mask)) throw new Fault('invalid', 'webhooks-address-again')
  if (!kept && input.secret === mask) throw new Fault('invalid', 'webhooks-secret-again')
  const url = kept?.url ?? input.url
  ctx.told.add(url)
  const secret = input.secret === mask ? (kept?.secret ?? '') : input.secret
  return { url: shownUrl(url), secret: seal(ctx, JSON.stringify({ url, secret })) }
}
