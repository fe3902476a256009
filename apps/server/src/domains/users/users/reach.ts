import type { User } from '@gantry/contract/users/users'
import { mustHoldSystem } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { findUser, shareTeam } from './users.read.ts'

export async function mustFind(ctx: Ctx, userId: number): Promise<User> {
  const user = await findUser(ctx.db, userId)
  if (!user) throw new Fault('missing', 'user-missing')
  return user
}

/** Administrators, and users whose system role shows them the list of all users. */
const seesAll = (ctx: Ctx): Promise<boolean> =>
  mustHoldSystem(ctx, 'system_user_view').then(
    () => true,
    (error: unknown) => {
      if (error instanceof Fault) return false
      throw error
    },
  )

/** Whether the caller may see this user's picture: their own, a team mate's, or anyone's if they see the list. */
export const maySee = async (ctx: Ctx, userId: number): Promise<boolean> =>
  userId === ctx.actor.id || (await shareTeam(ctx.db, ctx.actor.id, userId)) || seesAll(ctx)

/**
 * Requires oneself, or an administrator. Access to a team mate or an administrator is refused; any other user does not
 * exist.
 */
export async function mustReach(ctx: Ctx, userId: number): Promise<User> {
  const user = await mustFind(ctx, userId)
  if (ctx.actor.admin || ctx.actor.id === userId) return user
  if (user.admin || (await shareTeam(ctx.db, ctx.actor.id, userId))) throw new Fault('forbidden', 'user-forbidden')
  throw new Fault('missing', 'user-missing')
}

/** For reading: whoever sees the list of users may read each of them. */
export const mustRead = async (ctx: Ctx, userId: number): Promise<User> =>
  userId !== ctx.actor.id && (await seesAll(ctx)) ? mustFind(ctx, userId) : mustReach(ctx, userId)
