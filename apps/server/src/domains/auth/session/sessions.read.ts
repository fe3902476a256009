import { sql } from 'kysely'
import type { z } from 'zod'
import type { session } from '@gantry/contract/auth/session'
import type { Db } from '../../../db/tables.gen.ts'

type Listed = z.input<typeof session.sessions.data>

/** The user's valid logins, each with the latest activity of all its tabs. */
export const listSessions = (db: Db, accountId: number, current: string): Promise<Listed> =>
  db
    .selectFrom('session')
    .select([
      'family',
      sql<string>`(array_agg(ip order by last_seen_at desc, id desc))[1]`.as('ip'),
      sql<string>`(array_agg(user_agent order by last_seen_at desc, id desc))[1]`.as('userAgent'),
      sql<string>`min(created_at)`.as('createdAt'),
      sql<string>`max(last_seen_at)`.as('lastSeenAt'),
      sql<boolean>`family = ${current}`.as('current'),
    ])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', sql<string>`now()`)
    .groupBy('family')
    .orderBy('lastSeenAt', 'desc')
    .orderBy('family')
    .limit(200)
    .execute()
