import { hashPassword } from '../src/domains/auth/public.ts'
import type { TestApp } from './test-app.ts'

export const goodPassword = 'Tidal-Cobalt-41'

/** A user of testApp() comes without a password; from now on this one may sign in. */
export async function givePassword({ db }: TestApp, userId: number, password = goodPassword): Promise<void> {
  await db
    .updateTable('account')
    .set({ password_hash: await hashPassword(password) })
    .where('id', '=', userId)
    .execute()
}
