import { duplicates } from '@gantry/contract/validators'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { findModules } from '../../../module.ts'
import { decisionsChanged } from '../../decisions/public.ts'
import { leaveTeams } from '../../teams/public.ts'
import { publishUsers } from '../../auth/public.ts'
import { mustKeepAdmin } from './admins.ts'
import { deleteUsers, lockUsers } from './users.store.ts'

/** Maximum of names in the audit row. */
const maxNamed = 20

/**
 * Deletes all of these users or none. Their sessions, tickets and API tokens are deleted, and open sockets close; what
 * they created stays with its team.
 */
export const removeUsers = (ctx: Ctx, userIds: number[]): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const doubled = duplicates(userIds.map(String))
    if (doubled.length > 0) throw new Fault('invalid', 'user-list-double', { ids: doubled.join(', ') })
    if (userIds.includes(ctx.actor.id)) throw new Fault('conflict', 'user-delete-self')
    await mustKeepAdmin(ctx, userIds)
    const found = await lockUsers(ctx.db, userIds)
    const names = found.map(({ userName }) => userName)
    note(ctx, { object: names.slice(0, maxNamed).join(', '), before: names })
    const unknown = userIds.filter((id) => found.every((user) => user.id !== id))
    if (unknown.length > 0)
      throw userIds.length === 1
        ? new Fault('missing', 'user-missing')
        : new Fault('invalid', 'user-list-unknown', { ids: unknown.join(', ') })
    await leaveTeams(ctx, userIds)
    for (const { onUserDelete } of await findModules()) await onUserDelete?.(ctx, userIds)
    await deleteUsers(ctx.db, userIds)
    await publishUsers(ctx)
    await decisionsChanged(ctx, null)
    return null
  })
