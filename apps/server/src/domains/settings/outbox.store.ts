import { sql } from 'kysely'
import { jsonb } from '../../db/json.ts'
import type { Db } from '../../db/tables.gen.ts'
import type { Reason } from '../../kernel/phrase.ts'
import { activeStatuses } from '../../identity/sessions.ts'

export interface NewMail {
  key: string
  recipient: string
  subject: string
  text: string
  html: string
  /** Encrypted. */
  secret: string | null
}

/** False if there is already a mail with this key. */
export async function insertMail(db: Db, mail: NewMail): Promise<boolean> {
  const row = await db
    .insertInto('mail_outbox')
    .values(mail)
    .onConflict((c) => c.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** How long an attempt may take before another starts; longer than the adapter's own limit. */
const leaseSeconds = 60

export interface DueMail extends NewMail {
  id: number
  attempts: number
  /** Whether it has waited for a day, so that this attempt is the last. */
  last: boolean
}

/** Leases the mail that has been due longest. */
export async function takeDue(db: Db): Promise<DueMail | undefined> {
  const due = db
    .selectFrom('mail_outbox')
    .select('id')
    .where('state', '=', 'waiting')
    .where('next_at', '<=', sql<string>`now()`)
    .orderBy('next_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
  return db
    .updateTable('mail_outbox')
    .set({ next_at: sql`now() + make_interval(secs => ${leaseSeconds}::int)`, attempts: sql`attempts + 1` })
    .where('id', 'in', due)
    .returning(['id', 'key', 'recipient', 'subject', 'text', 'html', 'secret', 'attempts'])
    .returning(sql<boolean>`created_at < now() - interval '24 hours'`.as('last'))
    .executeTakeFirst()
}

export async function endMail(db: Db, id: number, state: 'sent' | 'failed', problem: Reason | null): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ state, problem: problem && jsonb(problem), ended_at: sql`now()`, secret: null })
    .where('id', '=', id)
    .execute()
}

/** By half a minute, doubled with each attempt, at most half an hour. */
export async function postpone(db: Db, id: number, problem: Reason): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({
      problem: jsonb(problem),
      next_at: sql`now() + make_interval(secs => least(30 * power(2, least(attempts, 10) - 1), 1800))`,
    })
    .where('id', '=', id)
    .execute()
}

/** Sent and failed mails are shown for a month, and keep their keys from being sent again for as long. */
export async function forgetEnded(db: Db): Promise<void> {
  const old = db
    .selectFrom('mail_outbox')
    .select('id')
    .where('state', '<>', 'waiting')
    .where('ended_at', '<', sql<string>`now() - interval '30 days'`)
    .limit(5_000)
  await db.deleteFrom('mail_outbox').where('id', 'in', old).execute()
}

/** The state of the mails whose keys have this prefix; `old`: it has been tried for more than a minute. */
export const mailsOf = (db: Db, begin: string) =>
  db
    .selectFrom('mail_outbox')
    .select(['recipient', 'state', 'problem'])
    .select(sql<boolean>`created_at < now() - interval '1 minute'`.as('old'))
    .where(sql<boolean>`starts_with(key, ${begin})`)
    .orderBy('id')
    .execute()

export const latestMails = (db: Db, most: number) =>
  db
    .selectFrom('mail_outbox')
    .select(['id', 'recipient as to', 'subject', 'state', 'attempts', 'problem', 'created_at as createdAt'])
    .orderBy('id', 'desc')
    .limit(most)
    .execute()

export const recipientOf = (db: Db, accountId: number) =>
  db
    .selectFrom('account')
    .select(['email', 'nickname', 'user_name as userName'])
    .select(sql<string | null>`setting ->> 'lang'`.as('lang'))
    .where('id', '=', accountId)
    .executeTakeFirst()

export const administrators = (db: Db) =>
  db
    .selectFrom('account')
    .select('id')
    .where('admin', '=', true)
    .where('status', 'in', activeStatuses)
    .where('email', '<>', '')
    .execute()
