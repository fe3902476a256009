import { randomBytes } from 'node:crypto'
import { writeSystemAuditRow } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { endSessions } from '../../../identity/sessions.ts'
import { findByName, grantAdmin, setPassword, unban } from './credentials.store.ts'
import { hashPassword } from './password.ts'
import { publishUsers } from '../session/publish.ts'

/**
 * Recovery for whoever has a shell on the server, when nobody can log in any more. Each command leaves an audit row
 * under the name of the product itself.
 */
const rescue = <T>(
  ctx: Ctx,
  action: string,
  name: string,
  work: (ctx: Ctx, account: { id: number; local: boolean }) => Promise<T>,
): Promise<T> =>
  inTx(ctx, async (ctx) => {
    const found = await findByName(ctx.db, name)
    const [account] = found
    if (!account) throw new Fault('missing', 'rescue-unknown', { name })
    if (found.length > 1) throw new Fault('conflict', 'rescue-ambiguous', { name, count: found.length })
    const result = await work(ctx, { id: account.id, local: account.type === 'IDENTITY' })
    const by = `npm run admin -- ${action.replace('admin.', '')}`
    await writeSystemAuditRow(ctx, { action, by, object: account.user_name })
    return result
  })

export const unbanUser = (ctx: Ctx, name: string): Promise<void> =>
  rescue(ctx, 'admin.unban', name, async (ctx, { id }) => {
    await unban(ctx.db, id)
    await publishUsers(ctx)
  })

/** Sets a new initial password, to be changed at the next login; every session of the user ends. */
export async function resetPassword(ctx: Ctx, name: string): Promise<string> {
  const password = randomBytes(12).toString('base64url')
  const hash = await hashPassword(password)
  await rescue(ctx, 'admin.reset-password', name, async (ctx, { id, local }) => {
    if (!local) throw new Fault('conflict', 'rescue-not-local', { name })
    await setPassword(ctx.db, id, hash, { initial: true })
    await unban(ctx.db, id)
    await endSessions(ctx, id)
  })
  return password
}

export const makeAdmin = (ctx: Ctx, name: string): Promise<void> =>
  rescue(ctx, 'admin.make-admin', name, async (ctx, { id }) => {
    await grantAdmin(ctx.db, id)
  })
