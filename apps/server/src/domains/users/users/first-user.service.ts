import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { hashPassword } from '../../auth/public.ts'
import { createTeam } from '../../teams/public.ts'
import { hasUsers, insertLocal, lockAccounts } from './users.store.ts'

const first = { userName: 'admin', nickname: 'admin', email: 'admin@gantry.local', admin: true }

/**
 * GANTRY_ADMIN_PASSWORD, or a generated one in a file that only the owner of the data folder can read. The file is
 * written before the user is created, so that a start after a crash between the two finds it again.
 */
function initialPassword(ctx: Ctx): string {
  const given = ctx.config.adminPassword
  if (given !== undefined) return given
  const file = join(ctx.config.data, 'admin-password')
  try {
    writeFileSync(file, `${randomBytes(12).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  ctx.log.info({ file }, 'the first password of the user admin is in this file')
  return readFileSync(file, 'utf8').trim()
}

/** Creates the administrator and a first team if there are no users yet. Replicas that start together create one. */
export async function makeFirstUser(ctx: Ctx): Promise<void> {
  if (await hasUsers(ctx.db)) return
  await inTx(ctx, async (ctx) => {
    await lockAccounts(ctx.db)
    if (await hasUsers(ctx.db)) return
    const passwordHash = await hashPassword(initialPassword(ctx))
    const { id } = await insertLocal(ctx.db, { ...first, passwordHash })
    const actor = { kind: 'user', id, name: first.userName, admin: true } as const
    await createTeam({ ...ctx, actor }, { name: 'default', description: '' })
  })
}
