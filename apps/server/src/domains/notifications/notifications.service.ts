import type { Notification } from '@gantry/contract/notifications/notifications'
import { notificationsTopic } from '@gantry/contract/notifications/topics'
import type { List } from '@gantry/contract/paging'
import { teamsHolding } from '../../identity/access.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { publish } from '../../kernel/events/events.ts'
import { toList, type Page } from '../../kernel/paging.ts'
import { sayReasonTo } from '../../kernel/phrase.ts'
import {
  insertNotifications,
  listNotifications,
  markRead,
  type NewNotification,
  requiredPermissions,
  pruneNotifications,
  readable,
} from './notifications.store.ts'

/** Notifies users in the caller's transaction. A deleted or unknown user gets nothing. */
export async function notify(
  ctx: Ctx,
  to: readonly (number | null | undefined)[],
  notification: NewNotification,
): Promise<void> {
  const ids = to.filter((id) => id !== null && id !== undefined)
  if (ids.length === 0) return
  for (const userId of await insertNotifications(ctx.db, ids, notification)) {
    await pruneNotifications(ctx.db, userId)
    await publish(ctx, notificationsTopic, { userId }, { changed: 'new' })
  }
}

/** The caller's notifications about objects that the caller may see now. */
async function mine({ db, actor }: Ctx) {
  const permissions = await requiredPermissions(db, actor.id)
  const teams = await teamsHolding(
    { db, actor },
    permissions.map((permission) => (permission === null ? [] : [permission])),
  )
  return readable(
    actor.id,
    permissions.map((permission, at) => ({ permission, teams: teams[at] })),
  )
}

export async function readNotifications(ctx: Ctx, at: Page): Promise<List<Notification> & { unread: number }> {
  const { rows, total, unread } = await listNotifications(ctx.db, await mine(ctx), at)
  const items = rows.map(({ text, ...row }) => ({ ...row, text: sayReasonTo(ctx, text) }))
  return { ...toList(items, total, at), unread }
}

export const readAllOf = (ctx: Ctx, ids: readonly number[] | undefined): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const changed = await markRead(ctx.db, await mine(ctx), ids)
    if (changed > 0n) await publish(ctx, notificationsTopic, { userId: ctx.actor.id }, { changed: 'read' })
    return null
  })

/** An error may name objects of its team, so only members of the team in which it was shown can read it again. */
export const keepError = (ctx: Ctx, text: string): Promise<null> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: text.slice(0, 200) })
    await notify(ctx, [ctx.actor.id], {
      kind: 'error',
      tone: 'bad',
      text: { key: 'notifications-error', vars: { text } },
      teamId: ctx.tenantId ?? null,
    })
    return null
  })
