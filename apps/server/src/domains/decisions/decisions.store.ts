import { sql } from 'kysely'
import type { Db } from '../../db/tables.gen.ts'
import { activeStatuses } from '../../identity/sessions.ts'
import { memberRows } from '../teams/public.read.ts'

/** Users with an address who want mails: of a team's members, or of the administrators. */
const mailed = (db: Db, teamId: number | null) =>
  db
    .selectFrom('account')
    .where('mail_decisions', '=', true)
    .where('email', '<>', '')
    .where('status', 'in', activeStatuses)
    .where((q) =>
      teamId === null
        ? q('admin', '=', true)
        : q.exists(
            q
              .selectFrom(memberRows.as('team_member'))
              .select('team_id')
              .whereRef('team_member.account_id', '=', 'account.id')
              .where('team_id', '=', teamId),
          ),
    )

export const isAnyoneMailed = async (db: Db, teamId: number | null): Promise<boolean> =>
  (await mailed(db, teamId).select('account.id').limit(1).executeTakeFirst()) !== undefined

export const mailedAccounts = (db: Db, teamId: number | null) =>
  mailed(db, teamId).select(['account.id', 'user_name as name', 'admin']).orderBy('account.id').execute()

export const mailOf = (db: Db, accountId: number) =>
  db
    .selectFrom('account')
    .select(['mail_decisions as on', sql<boolean>`email <> ''`.as('hasAddress')])
    .where('id', '=', accountId)
    .executeTakeFirst()

export const setMail = (db: Db, accountId: number, on: boolean) =>
  db.updateTable('account').set({ mail_decisions: on }).where('id', '=', accountId).execute()
