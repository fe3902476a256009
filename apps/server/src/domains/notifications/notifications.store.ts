import {
  keptNotifications,
  type Target,
  Target as TargetSchema,
  type Tone,
} from '@gantry/contract/notifications/notifications'
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import { jsonb } from '../../db/json.ts'
import { countMatches } from '../../db/list.ts'
import type { Db, Tables } from '../../db/tables.gen.ts'
import type { Page } from '../../kernel/paging.ts'
import type { Reason } from '../../kernel/phrase.ts'

type Eb = ExpressionBuilder<Tables, 'notification'>

export interface NewNotification {
  /** The kind of object that it is about, as a noun. */
  kind: string
  tone: Tone
  text: Reason
  /** Readers must be in this team; none if absent. */
  teamId?: number | null
  /** Readers must hold this permission in the team. */
  permission?: string
  target?: Target
  /** Adds nothing for accounts with an unread notification of the same kind, target and tone. */
  once?: boolean
}

/** Notifies the accounts that still exist and returns them; waits for accounts that are being deleted. */
export async function insertNotifications(
  db: Db,
  accountIds: number[],
  notification: NewNotification,
): Promise<number[]> {
  const { rows } = await sql<{ accountId: number }>`
    insert into notification (account_id, team_id, permission, kind, tone, text, target)
    select id, ${notification.teamId ?? null}::int, ${notification.permission ?? null}::text, ${notification.kind}::text, ${notification.tone}::text,
      ${jsonb(notification.text)}, ${notification.target ? jsonb(notification.target) : null}
    from (select id from account where id = any(${accountIds}::int[]) order by id for key share) as known
    where not (${notification.once === true} and exists (select from notification as unread where unread.account_id = known.id
      and unread.read_at is null and unread.kind = ${notification.kind} and unread.tone = ${notification.tone}
      and unread.target = ${notification.target ? jsonb(notification.target) : null}))
    returning account_id as "accountId"`.execute(db)
  return rows.map(({ accountId }) => accountId)
}

/** Deletes all but the newest of an account; rows that another transaction is deleting are skipped. */
export const pruneNotifications = (db: Db, accountId: number) =>
  db
    .deleteFrom('notification')
    .where('id', 'in', (q) =>
      q
        .selectFrom('notification')
        .select('id')
        .where('account_id', '=', accountId)
        .orderBy('id', 'desc')
        .offset(keptNotifications)
        .limit(1000)
        .forUpdate()
        .skipLocked(),
    )
    .execute()

/** The permissions that an account's notifications require, without duplicates. */
export const requiredPermissions = async (db: Db, accountId: number): Promise<(string | null)[]> =>
  (
    await db.selectFrom('notification').select('permission').distinct().where('account_id', '=', accountId).execute()
  ).map(({ permission }) => permission)

/** The teams in which the reader holds a permission; undefined means everywhere. */
export interface HeldMail {
  permission: string | null
  teams: readonly number[] | undefined
}

/** An account's notifications that it may still read. */
export const readable =
  (accountId: number, permitted: readonly HeldMail[]) =>
  (eb: Eb): Expression<SqlBool> =>
    eb.and([
      eb('account_id', '=', accountId),
      eb.or([
        // those of no team
        eb.and([eb('team_id', 'is', null), eb('permission', 'is', null)]),
        ...permitted.map(({ permission, teams }) =>
          eb.and([
            permission === null ? eb('permission', 'is', null) : eb('permission', '=', permission),
            teams === undefined ? eb.and([]) : sql<boolean>`team_id = any(${[...teams]}::int[])`,
          ]),
        ),
      ]),
    ])

type Readable = ReturnType<typeof readable>

export async function listNotifications(db: Db, may: Readable, at: Page) {
  const of = db.selectFrom('notification').where(may)
  const rows = await of
    .leftJoin('team', 'team.id', 'notification.team_id')
    .select(['notification.id', 'kind', 'tone', 'text', 'team_id as teamId', 'target'])
    .select(sql<string>`coalesce(team.name, '')`.as('teamName'))
    .select('notification.created_at as createdAt')
    .select(sql<boolean>`read_at is not null`.as('read'))
    .orderBy('notification.id', 'desc')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return {
    rows: rows.map((row) => ({ ...row, target: TargetSchema.nullable().catch(null).parse(row.target) })),
    total: await countMatches(db, of),
    unread: await countMatches(db, of.where('read_at', 'is', null)),
  }
}

/** Marks these or all readable ones as read; returns how many were unread. */
export const markRead = async (db: Db, may: Readable, ids: readonly number[] | undefined): Promise<bigint> =>
  (
    await db
      .updateTable('notification')
      .set({ read_at: sql`now()` })
      .where((eb) => may(eb as never))
      .where('read_at', 'is', null)
      .$if(ids !== undefined, (q) => q.where('id', 'in', [...(ids ?? [])]))
      .executeTakeFirstOrThrow()
  ).numUpdatedRows
