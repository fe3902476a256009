import { randomInt } from 'node:crypto'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { endSessions } from '../../../identity/sessions.ts'
import { setPassword, unban } from './credentials.store.ts'
import { hashPassword } from './password.ts'

/** Without characters that are confused when read aloud or typed from paper. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
const length = 14

/** 80 random bits, of letters and digits only, so that a spreadsheet it is pasted into takes it for text. */
export const newInitialPassword = (): string =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('')

interface Forgetful {
  id: number
  state: 'normal' | 'unapproved' | 'disabled' | 'locked' | 'inactive'
}

/**
 * Sets a password that must be changed at the next login, and ends every session of the user. It restores access after
 * wrong passwords or inactivity; a ban by hand stays.
 */
export async function setInitialPassword(ctx: Ctx, { id, state }: Forgetful, password: string): Promise<void> {
  const hash = await hashPassword(password)
  await inTx(ctx, async (ctx) => {
    await setPassword(ctx.db, id, hash, { initial: true })
    if (state === 'locked' || state === 'inactive') await unban(ctx.db, id)
    await endSessions(ctx, id)
  })
}
