import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'
import { activeStatuses } from '../../../identity/sessions.ts'

const warnDays = 7

/** Local users whose password expires within a week if it is valid for `passwordDays`. */
export function expiringPasswords(db: Db, passwordDays: number) {
  const left = sql<number>`ceil(${passwordDays}::int - extract(epoch from now() - password_changed_at) / 86400)::int`
  return db
    .selectFrom('account')
    .select(['id', 'user_name as userName', 'password_changed_at as changedAt', left.as('days')])
    .where('type', '=', 'IDENTITY')
    .where('status', 'in', activeStatuses)
    .where('newly_built', '=', false)
    .where('email', '<>', '')
    .where(sql<boolean>`${left} between 1 and ${warnDays}`)
    .execute()
}
