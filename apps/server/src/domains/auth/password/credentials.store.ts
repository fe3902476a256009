import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'
import { activeStatuses } from '../../../identity/sessions.ts'
import type { Browser } from '../../../identity/sign-in.ts'
import { countInBrowser, forgetBrowsers, forgiveBrowsers } from '../bans/known-browsers.store.ts'
import { policyFigure } from '../policy/policy.store.ts'

/**
 * The columns of `account` that a login reads and writes: hash, status, counter and times. The rest of the row belongs
 * to the users domain.
 */

/** An account without a login for this long is inactive. */
export const inactiveDays = 90

const columns = ['id', 'user_name', 'nickname', 'email', 'type', 'admin', 'status', 'password_hash'] as const

/** A local account by its user name or its e-mail address, in either case. A user name never looks like an address. */
export const findLocal = (db: Db, nameOrEmail: string) =>
  db
    .selectFrom('account')
    .select(columns)
    .where('type', '=', 'IDENTITY')
    .where((eb) => {
      const given = nameOrEmail.toLowerCase()
      return given.includes('@') ? eb(sql`lower(email)`, '=', given) : eb('subject', '=', given)
    })
    .executeTakeFirst()

export const findCredentials = (db: Db, accountId: number) =>
  db.selectFrom('account').select(columns).where('id', '=', accountId).executeTakeFirst()

/** Locks the account until the transaction ends, which serializes its counts and logins. */
export const lockAccount = (db: Db, accountId: number) =>
  db.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()

/**
 * Counts exactly under concurrency; an unknown id costs the same. Called in a transaction. Returns whether this attempt
 * exceeded the policy and locked the account.
 */
export async function countWrongPassword(db: Db, accountId: number, browser: Browser | undefined): Promise<boolean> {
  await lockAccount(db, accountId)
  const apart = await countInBrowser(db, accountId, browser)
  const counted = await db
    .updateTable('account')
    .set({ wrong_passwords: sql`wrong_passwords + ${apart === undefined ? 1 : 0}::int` })
    .where('id', '=', accountId)
    .returning(sql<boolean>`wrong_passwords > ${policyFigure('retries')}`.as('tooMany'))
    .executeTakeFirst()
  if (!(apart ?? counted?.tooMany)) return false
  // separate from the count, because every write of the status reauthorizes open sockets
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ status: 'locked' })
    .where('id', '=', accountId)
    .where('status', '=', 'normal')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const inactive = sql<boolean>`greatest(active_since, last_login_at) < now() - make_interval(days => ${inactiveDays}::int)`

const passwordExpired = sql<boolean>`type = 'IDENTITY'
  and password_changed_at < now() - make_interval(days => ${policyFigure('passwordDays')})`

interface Proof {
  /** Null for a login by a directory or identity provider. */
  passwordHash: string | null
  /** Whether the browser is known, so that a lock does not keep it out. */
  trusted: boolean
}

/**
 * Records a login, and returns whether its password is too old. Undefined if the account may not, or no longer, log in:
 * banned meanwhile, or with another password. A lock stays, and so does its count.
 */
export const noteLogin = (db: Db, accountId: number, { passwordHash, trusted }: Proof) =>
  db
    .updateTable('account')
    .set({
      wrong_passwords: sql`case status when 'locked' then wrong_passwords else 0 end`,
      last_login_at: sql`now()`,
    })
    .where('id', '=', accountId)
    .where('status', 'in', trusted ? activeStatuses : ['normal'])
    .where('password_hash', 'is not distinct from', passwordHash)
    .where((eb) => eb.not(inactive))
    .returning(passwordExpired.as('passwordExpired'))
    .executeTakeFirst()

/** Bans users without a login for too long; returns how many. Without an id it checks all accounts. */
export async function banInactive(db: Db, accountId?: number): Promise<number> {
  let update = db.updateTable('account').set({ status: 'inactive' }).where(inactive)
  update = update.where('status', 'in', activeStatuses)
  if (accountId !== undefined) update = update.where('id', '=', accountId)
  const { numUpdatedRows } = await update.executeTakeFirst()
  return Number(numUpdatedRows)
}

export const setStatus = (db: Db, accountId: number, status: 'disabled') =>
  db
    .updateTable('account')
    .set({ status, updated_at: sql`now()` })
    .where('id', '=', accountId)
    .execute()

/** Restores access: counters restart from zero, the 90 days from now. */
export async function unban(db: Db, accountId: number): Promise<void> {
  await db
    .updateTable('account')
    .set({ status: 'normal', wrong_passwords: 0, active_since: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', accountId)
    .execute()
  await forgiveBrowsers(db, accountId)
}

/** A new password lifts the lock, and forgets every browser in which the old one was used. */
export async function setPassword(
  db: Db,
  accountId: number,
  hash: string,
  { initial }: { initial: boolean },
): Promise<void> {
  await db
    .updateTable('account')
    .set({
      password_hash: hash,
      password_changed_at: sql`now()`,
      newly_built: initial,
      wrong_passwords: 0,
      status: sql`case status when 'locked' then 'normal' else status end`,
      updated_at: sql`now()`,
    })
    .where('id', '=', accountId)
    .execute()
  await forgetBrowsers(db, accountId)
}

export const setDefaultTeam = (db: Db, accountId: number, teamId: number) =>
  db.updateTable('account').set({ default_team_id: teamId }).where('id', '=', accountId).execute()

/** Any account with this user name or e-mail address; a local one takes precedence over those of directories. */
export async function findByName(db: Db, nameOrEmail: string) {
  const local = await findLocal(db, nameOrEmail)
  if (local) return [local]
  const given = nameOrEmail.toLowerCase()
  return db
    .selectFrom('account')
    .select(columns)
    .where((eb) => eb.or([eb(sql`lower(user_name)`, '=', given), eb(sql`lower(email)`, '=', given)]))
    .limit(10)
    .execute()
}

export const grantAdmin = (db: Db, accountId: number) =>
  db
    .updateTable('account')
    .set({ admin: true, updated_at: sql`now()` })
    .where('id', '=', accountId)
    .execute()
