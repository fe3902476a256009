import { hashPassword } from '../src/domains/auth/public.ts'
import type { TestApp } from './test-app.ts'

export const goodPassword = 'Tidal-Cobalt-41'

/** Gives a user of testApp(), who has no password, one to log in with. */
export async function givePassword({ db }: TestApp, userId: number, password = goodPassword): Promise<void> {
  await db
    .updateTable('account')
    .set({ password_hash: await hashPassword(password) })
    .where('id', '=', userId)
    .execute()
}
