import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { lockAdmins } from './users.store.ts'

/**
 * Before these users are administrators no longer, are banned or deleted: one who may sign in stays. Two administrators who
 * take each other's right away meet here one after the other.
 */
export async function mustLeaveAdmin(ctx: Ctx, userIds: number[]): Promise<void> {
  const admins = await lockAdmins(ctx.db)
  if (!admins.some(({ id }) => userIds.includes(id))) return
  if (!admins.some(({ id, status }) => status === 'normal' && !userIds.includes(id)))
    throw new Fault('conflict', 'user-last-admin')
}
