import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { writeSystemAuditRow } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import type { Reason } from '../../kernel/phrase.ts'
import { isActive } from '../../identity/sessions.ts'
import { ban, unban } from '../auth/public.ts'
import { keepBarred, lockAccount } from './accounts.store.ts'

/** The check every minute; changes found at a sign-in are logged under the same name. */
const by = 'ldap-check'

interface Barred {
  id: number
  userName: string
  dn: string
}

/** The reason, also for the audit row. */
export type BarKey = Extract<PhraseKey, `ldap-barred-${string}`>

/**
 * Revokes an account's access because of its directory: calls, sockets and API tokens are refused from the commit on.
 * If the account is already banned for another reason, that reason stays.
 */
export const bar = (ctx: Ctx, account: Barred, key: BarKey, directory: string): Promise<boolean> =>
  inTx(ctx, async (ctx) => {
    const state = (await lockAccount(ctx.db, account.id))?.status
    if (state === undefined || !isActive(state)) return false
    const reason: Reason = { key, vars: {} }
    await ban(ctx, account.id)
    await keepBarred(ctx.db, account.id, account.dn, reason)
    const changed = { before: { state }, after: { state: 'disabled', directory } }
    await writeSystemAuditRow(ctx, { action: 'ldap.bar', by, object: account.userName, message: key, ...changed })
    return true
  })

/** Restores the access of an account that `bar` disabled, unless somebody has decided about it since. */
export const unbar = (ctx: Ctx, account: Pick<Barred, 'id' | 'userName'>): Promise<boolean> =>
  inTx(ctx, async (ctx) => {
    const now = await lockAccount(ctx.db, account.id)
    if (now?.status !== 'disabled' || now.barred === null) return false
    await unban(ctx, account.id)
    const changed = { before: { state: 'disabled' }, after: { state: 'normal' } }
    await writeSystemAuditRow(ctx, { action: 'ldap.unbar', by, object: account.userName, ...changed })
    return true
  })
