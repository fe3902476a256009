import type { LoginPolicy } from '@gantry/contract/auth/policy'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { readPolicy, writePolicy } from './policy.store.ts'

/** Effective from the next wrong password and the next login on, in every replica. Nobody is logged out. */
export const setPolicy = (ctx: Ctx, policy: LoginPolicy): Promise<LoginPolicy> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: 'login', before: await readPolicy(ctx.db), after: policy })
    await writePolicy(ctx.db, policy)
    return policy
  })
