import type { Delivery, Webhook, WebhookInput } from '@gantry/contract/webhooks/webhooks'
import type { List } from '@gantry/contract/paging'
import { brokenConstraint } from '../../db/constraint.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault, mustExist } from '../../kernel/fault.ts'
import { toList, type Page } from '../../kernel/paging.ts'
import { sayReason } from '../../kernel/phrase.ts'
import { maskSealed } from '../../kernel/secrets/secrets.ts'
import { tellTest, wakeDeliveries } from './deliveries.service.ts'
import { listDeliveries, repeatDelivery } from './deliveries.store.ts'
import { notedReceiver, sealReceiver } from './receiver.ts'
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  type StoredWebhook,
  updateWebhook,
} from './webhooks.store.ts'

const toWebhook = (webhook: StoredWebhook): Webhook => ({ ...webhook, secret: maskSealed(webhook.secret) })

export const readWebhook = async (ctx: Ctx, id: number): Promise<Webhook> =>
  toWebhook(mustExist(await findWebhook(ctx.db, id)))

export async function readWebhooks(ctx: Ctx, keyword: string, at: Page): Promise<List<Webhook>> {
  const { items, total } = await listWebhooks(ctx.db, keyword, at)
  return toList(items.map(toWebhook), total, at)
}

const refusals = [
  ['webhook_name', (name: string) => new Fault('conflict', 'webhooks-name-taken', { name })],
  ['webhook_team_id_fkey', () => new Fault('invalid', 'webhooks-team-unknown')],
] as const

async function stored<T>(write: Promise<T>, { name }: WebhookInput): Promise<T> {
  return refusals.reduce((tried, [constraint, fault]) => tried.catch(brokenConstraint(constraint, fault(name))), write)
}

const noted = (input: WebhookInput) => ({ ...input, ...notedReceiver(input) })

export async function createWebhook(ctx: Ctx, input: WebhookInput): Promise<Webhook> {
  note(ctx, { object: input.name, after: noted(input) })
  await ctx.ports.outbound.admit(input.url)
  return inTx(ctx, async (ctx) =>
    readWebhook(ctx, await stored(insertWebhook(ctx.db, { ...input, ...sealReceiver(ctx, input) }), input)),
  )
}

export async function changeWebhook(
  ctx: Ctx,
  id: number,
  { revision, ...input }: WebhookInput & { revision?: number | undefined },
): Promise<Webhook> {
  await ctx.ports.outbound.admit(input.url)
  return inTx(ctx, async (ctx) => {
    const before = mustExist(await findWebhook(ctx.db, id, { lock: true }))
    note(ctx, { object: before.name, before: toWebhook(before), after: noted(input) })
    if (revision !== undefined && revision !== before.revision)
      throw new Fault('conflict', 'webhooks-changed', { name: before.name })
    await stored(updateWebhook(ctx.db, id, { ...input, ...sealReceiver(ctx, input, before) }), input)
    return readWebhook(ctx, id)
  })
}

export const removeWebhook = (ctx: Ctx, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const before = mustExist(await findWebhook(ctx.db, id, { lock: true }))
    note(ctx, { object: before.name, before: toWebhook(before) })
    await deleteWebhook(ctx.db, id)
    return null
  })

export async function readDeliveries(ctx: Ctx, id: number, state: string, at: Page): Promise<List<Delivery>> {
  mustExist(await findWebhook(ctx.db, id))
  const { items, total } = await listDeliveries(ctx.db, id, state, at)
  return toList(
    items.map((row) => ({ ...row, problem: sayReason(ctx.lang, row.problem) })),
    total,
    at,
  )
}

export const testWebhook = (ctx: Ctx, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const webhook = mustExist(await findWebhook(ctx.db, id))
    note(ctx, { object: webhook.name })
    await tellTest(ctx, webhook)
    return null
  })

export const redeliver = (ctx: Ctx, id: number, deliveryId: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const { name } = mustExist(await findWebhook(ctx.db, id))
    note(ctx, { object: `${name} ${deliveryId}` })
    if (!(await repeatDelivery(ctx.db, id, deliveryId))) throw new Fault('missing', 'resource-missing')
    await wakeDeliveries(ctx)
    return null
  })
