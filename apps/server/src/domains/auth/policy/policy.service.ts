import type { LoginPolicy } from '@gantry/contract/auth/policy'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { lockPolicy, readPolicy, writePolicy } from './policy.store.ts'
import { mustBeMadeOn } from '../../../db/revision.ts'

/** Applies in every replica from the next wrong password or login on. Nobody is logged out. */
export const setPolicy = (ctx: Ctx, { revision, ...policy }: LoginPolicy & { revision?: string | undefined }) =>
  inTx(ctx, async (ctx) => {
    await lockPolicy(ctx.db)
    const { revision: present, ...before } = await readPolicy(ctx.db)
    mustBeMadeOn(present, revision)
    note(ctx, { object: 'login', before, after: policy })
    await writePolicy(ctx.db, policy)
    return readPolicy(ctx.db)
  })
