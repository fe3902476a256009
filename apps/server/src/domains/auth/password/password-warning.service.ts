import { type Ctx, inTx } from '../../../kernel/context.ts'
import { sendMail } from '../../settings/public.ts'
import { expiringPasswords } from './password-warning.read.ts'
import { readPolicy } from '../policy/policy.store.ts'

/** Mails users once, a week before their password must be changed. */
export async function warnOfOldPasswords(ctx: Ctx): Promise<void> {
  const { passwordDays } = await readPolicy(ctx.db)
  for (const { id, userName, days, changedAt } of await expiringPasswords(ctx.db, passwordDays)) {
    if (ctx.signal.aborted) return
    const order = {
      to: id,
      template: 'password-expiring',
      vars: { userName, days },
      key: changedAt,
      path: '/info',
    } as const
    await inTx(ctx, (ctx) => sendMail(ctx, order))
  }
}
