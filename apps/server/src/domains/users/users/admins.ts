import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { lockAdmins } from './users.store.ts'

/**
 * Called before these users are banned, deleted or lose the administrator's right: an active administrator must remain.
 * Two administrators who remove each other's right are serialized here.
 */
export async function mustKeepAdmin(ctx: Ctx, userIds: number[]): Promise<void> {
  const admins = await lockAdmins(ctx.db)
  if (!admins.some(({ id }) => userIds.includes(id))) return
  if (!admins.some(({ id, status }) => status === 'normal' && !userIds.includes(id)))
    throw new Fault('conflict', 'user-last-admin')
}
