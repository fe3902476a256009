import type { User } from '@gantry/contract/users/users'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { ban, newInitialPassword, setInitialPassword, unban } from '../../auth/public.ts'
import { decisionsChanged } from '../../decisions/public.ts'
import { sendMail } from '../../settings/public.ts'
import { mustKeepAdmin } from './admins.ts'
import { mustFind } from './reach.ts'
import { publishUser } from './publish.ts'

/** Approves, unlocks or lifts a ban; or bans a user by hand, which ends everything that they have open. */
export const setUserStatus = (ctx: Ctx, userId: number, enable: boolean): Promise<User> =>
  inTx(ctx, async (ctx) => {
    const { userName, state } = await mustFind(ctx, userId)
    const mail = { to: userId, key: ctx.requestId }
    if (enable) {
      await unban(ctx, userId)
      if (state === 'unapproved')
        await sendMail(ctx, { ...mail, template: 'approved', vars: { userName }, path: '/login' })
    } else {
      if (userId === ctx.actor.id) throw new Fault('conflict', 'user-ban-self')
      await mustKeepAdmin(ctx, [userId])
      await ban(ctx, userId)
      await sendMail(ctx, { ...mail, template: 'banned', vars: { userName, reason: 'by-hand' } })
    }
    await publishUser(ctx, userId)
    if (state === 'unapproved') await decisionsChanged(ctx, null)
    return mustFind(ctx, userId)
  })

/** Sets a new initial password, returned once. One's own is changed in the profile, which asks for the old one. */
export async function renewPassword(ctx: Ctx, userId: number): Promise<{ initialPassword: string }> {
  const user = await mustFind(ctx, userId)
  note(ctx, { object: user.userName })
  if (userId === ctx.actor.id) throw new Fault('conflict', 'user-reset-self')
  if (user.type !== 'IDENTITY') throw new Fault('conflict', 'password-elsewhere', { type: user.type })
  const initialPassword = newInitialPassword()
  await setInitialPassword(ctx, user, initialPassword)
  await publishUser(ctx, userId)
  return { initialPassword }
}
